//! What `key_movement` answers: to the key where the keys are published, exactly where the draws are known, and otherwise by
//! random keys.

use consistent_hash_lab::catalog;
use consistent_hash_lab::experiment::{Outcome, Parametrised, Record, Row, Rule, Verdict};
use consistent_hash_lab::published::{self, Comparison, Parts};
use consistent_hash_lab::statistics::{normal_error, sidak, z_test};

use super::{ALPHA, ARTICLE_MODULO, ARTICLE_RING, VIEWS, Views, value};

/// All of them.
pub fn verdicts(record: &Record) -> Vec<Verdict> {
    vec![
        jump_verdict(record),
        article_verdict(record, "article.movement.mod", ARTICLE_MODULO),
        article_verdict(record, "article.movement.ring", ARTICLE_RING),
        residues_verdict(record),
        array_verdict(record),
        views_verdict(record),
    ]
}

/// A sample tells one sixth from what two digits of it stand for, if its interval is no longer than this.
const TWO_DIGITS: f64 = 0.01;

/// Exactly from the draws, and by random keys.
fn jump_verdict(record: &Record) -> Verdict {
    let (id, at) = ("jump.move.10to12", [("from", 10.0), ("to", 12.0)]);
    let sixth = value(id);
    let exactly = record.number("jump", "exact_moved_fraction", &at).map(|exactly| {
        // Each of the 12 shares is a whole number of 2^-31.
        (format!("{exactly:.10}"), (exactly - sixth).abs() <= 12.0 * 2_f64.powi(-31))
    });
    let sampled = record.row("jump", "moved_fraction", &at).and_then(|row| Some((row.number()?, row.interval?)));
    let sampled = sampled.map(|(moved, interval)| {
        let comparison = match interval.contains(sixth) {
            false => Comparison::Fails,
            true if interval.high - interval.low <= TWO_DIGITS => Comparison::Holds,
            true => Comparison::Undecided,
        };
        (format!("{moved:.4} ({:.4} to {:.4})", interval.low, interval.high), comparison)
    });
    Parts::default().part("from the 31-bit draws", exactly).compared("random keys", sampled).verdict(
        id,
        Rule::Exact,
        "The draws may miss 1/6 by 12/2^31, since each share is a whole number of 2^-31. The exact binomial 99% interval of \
         the random keys has to hold 1/6 and to be no longer than 0.01.",
        "",
    )
}

fn article_verdict(record: &Record, id: &str, who: &str) -> Verdict {
    let published = published::find(id);
    let count = |field: &str| published?.recomputed.as_ref()?.get(field)?.as_f64();
    let moved = record.row(who, "moved_keys", &[]).and_then(|row| Some((row.number()?, row.parameter("keys")?)));
    let stray = record.number(who, "stray_keys", &[]);
    let part = moved.zip(stray).map(|((moved, keys), stray)| {
        let (low, high) = published::rounding(value(id));
        let equal = count("moved") == Some(moved) && count("of") == Some(keys);
        let digits = (low..=high).contains(&(moved / keys));
        // A ring moves keys to the new node only; h mod n promises nothing.
        (format!("{moved} of {keys}, {stray} stray"), equal && digits && (who != ARTICLE_RING || stray == 0.0))
    });
    Parts::default().part("", part).verdict(
        id,
        Rule::Exact,
        "The article's keys and nodes: the fraction rounds to the printed one, and the count is the one on file, \
         recomputed from the article's inputs. Stray: moved between two nodes that were there before and after.",
        "",
    )
}

fn residues_verdict(record: &Record) -> Verdict {
    let id = "jumparticle.mod_10_to_12";
    let row = record.row("modulo", "moved_residues", &[("from", 10.0), ("to", 12.0)]);
    let part = row.and_then(|row| Some((row.number()?, row.parameter("residues")?))).map(|(moved, residues)| {
        (format!("{moved} of {residues} residues = {:.4}", moved / residues), moved / residues == value(id))
    });
    let why = "h mod n on one period of h, every residue once: arithmetic, which no machine could do otherwise.";
    Parts::at_best(Outcome::ByDefinition).part("", part).verdict(id, Rule::Exact, why, "")
}

fn array_verdict(record: &Record) -> Verdict {
    let found = |metric| record.row("jump", metric, &[]).and_then(|row| Some((row.number()?, row.interval?)));
    let part = found("changed_server_fraction").zip(found("changed_index_fraction")).map(|(server, index)| {
        let text = format!("server changes for {:.4}, jump's result for {:.4}", server.0, index.0);
        (text, server.1.low > 0.5 && index.1.high < 0.2)
    });
    let others: Vec<String> = record
        .implementations("changed_server_fraction")
        .into_iter()
        .filter(|&id| id != "jump")
        .filter_map(|id| Some(format!("{id} {:.4}", record.number(id, "changed_server_fraction", &[])?)))
        .collect();
    let others =
        if others.is_empty() { String::new() } else { format!(" Removing that bucket: {}.", others.join(", ")) };
    let note =
        format!("Least possible: 0.1. \"Most\" is read as more than half, \"hardly\" as less than a fifth.{others}");
    Parts::default().part("", part).verdict("jumparticle.servers_array", Rule::Shape, &note, "")
}

/// Of functions of the view: where owners also depend on the order of removals, two views that were reached by different
/// ways have less in common, which is no matter of the theorem.
fn views_verdict(record: &Record) -> Verdict {
    let mut ids = record.implementations("unchanged_fraction");
    ids.retain(|id| catalog::find(id).is_none_or(|entry| !entry.promises.history_dependent));
    if ids.is_empty() {
        return published::not_measured("karger97.thm44", Rule::Statistical, "Not in this run.");
    }
    // What gives equal answers, as three storages of one ring do, is named and tested once.
    let mut alike: Vec<(Vec<&str>, Vec<&Row>)> = Vec::new();
    for id in ids {
        let rows: Vec<&Row> = record.rows(id, "unchanged_fraction").collect();
        let same = |others: &Vec<&Row>| others.iter().map(|row| &row.value).eq(rows.iter().map(|row| &row.value));
        match alike.iter_mut().find(|(_, others)| same(others)) {
            Some((names, _)) => names.push(id),
            None => alike.push((vec![id], rows)),
        }
    }
    let tests: usize = alike.iter().map(|(_, rows)| rows.len()).sum();
    let threshold = sidak(ALPHA, tests.max(1) as u64).unwrap_or(ALPHA);
    let parts = alike.iter().fold(Parts::default(), |parts, (names, rows)| {
        // A test that could not be made fails.
        let least = rows.iter().map(|row| fits_overlap(row).unwrap_or(0.0)).fold(1.0, f64::min);
        let comparison = match least >= threshold {
            false => Comparison::Fails,
            true if rows.iter().all(|row| told_apart(row)) => Comparison::Holds,
            true => Comparison::Undecided,
        };
        parts.compared(&names.join(" = "), Some((format!("{} pairs, least p {least:.2}", rows.len()), comparison)))
    });
    parts.verdict(
        "karger97.thm44",
        Rule::Statistical,
        "Mean over independent hash functions of the fraction of keys with the same bucket in both views (two-sided \
         z-tests, Sidak-corrected, family-wise 0.001). Decided where the 99% interval of each pair of views excludes what \
         the theorem gives for every other pair. Names joined by = gave equal answers.",
        "",
    )
}

/// How probable a mean as far from the overlap is, from the 99% interval of the mean.
fn fits_overlap(row: &Row) -> Option<f64> {
    let (mean, interval) = row.range()?;
    z_test(mean, row.parameter("overlap")?, normal_error(interval)?)
}

/// Whether the mean is sharp enough to tell its pair of views from all others.
fn told_apart(row: &Row) -> bool {
    let here = row.parameter("overlap");
    let mut others = VIEWS.iter().map(Views::overlap).filter(|&overlap| Some(overlap) != here);
    row.interval.is_some_and(|interval| others.all(|overlap| !interval.contains(overlap)))
}
