//! What a mistyped id may have meant.

/// The known ids most like one that is not known, at most three, as the end of a message: " (nearest: jump, power)", or
/// nothing where none is like it.
#[must_use]
pub fn nearest<'a>(asked: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let asked = asked.trim().to_lowercase();
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .map(|known| (strsim::damerau_levenshtein(&asked, known), known))
        .filter(|&(distance, known)| distance <= 1 + asked.len() / 3 || known.starts_with(&asked))
        .collect();
    near.sort_unstable();
    let names: Vec<&str> = near.into_iter().take(3).map(|(_, id)| id).collect();
    if names.is_empty() { String::new() } else { format!(" (nearest: {})", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_come_first_and_strangers_not_at_all() {
        let known = ["jump", "jump-linear", "modulo", "ring"];
        assert_eq!(nearest("jmup", known), " (nearest: jump)");
        assert_eq!(nearest("jum", known), " (nearest: jump, jump-linear)");
        assert_eq!(nearest(" JUMP", known), " (nearest: jump, jump-linear)");
        assert_eq!(nearest("elephant", known), "");
    }
}
