//! Where an axis has ticks, and how they are written.

use super::model::{Scale, Ticks};
use super::span::Span;

/// A place on an axis. Without a label it is one of the small ticks between decades.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub value: f64,
    pub label: String,
}

/// At most about `most` labelled ticks, ascending. Categories are all there.
pub(super) fn ticks(span: Span, kind: &Ticks, most: usize) -> Vec<Tick> {
    let most = most.max(2);
    let ticks = match (kind, span.scale) {
        (Ticks::Categories(names), _) => {
            (0..).zip(names).map(|(i, name)| Tick { value: f64::from(i), label: name.clone() }).collect()
        }
        (_, Scale::Linear) => linear(span, kind, most),
        (Ticks::Bytes, Scale::Log10) => powers_of_two(span, most),
        (_, Scale::Log10) => decades(span, kind, most),
    };
    ticks.into_iter().filter(|tick| span.contains(tick.value)).collect()
}

/// Multiples of 1, 2 or 5 times a power of ten, of the unit in which the axis is written.
fn linear(span: Span, kind: &Ticks, most: usize) -> Vec<Tick> {
    let largest = span.low.abs().max(span.high.abs());
    let (unit, suffix) = match kind {
        Ticks::Bytes => {
            let index = (largest.max(1.0).log2() / 10.0).floor().min(6.0);
            (1024_f64.powf(index), BYTES[index as usize].to_owned())
        }
        kind => {
            let (exponent, suffix) = decimal_unit(kind, largest.log10().floor() as i32, 5);
            (power_of_ten(exponent), suffix)
        }
    };
    let (low, high) = (span.low / unit, span.high / unit);
    let raw = (high - low) / (most - 1) as f64;
    let mut exponent = raw.log10().floor() as i32;
    let fits = |mantissa: i64, exponent| mantissa as f64 * power_of_ten(exponent) >= raw * (1.0 - 1e-9);
    let mantissa = [1, 2, 5].into_iter().find(|&mantissa| fits(mantissa, exponent)).unwrap_or_else(|| {
        exponent += 1;
        1
    });
    // Counted in whole steps: 3 steps of 0.1 are 0.3, not 0.30000000000000004.
    let steps = |value: f64| times_power_of_ten(value, -exponent) / mantissa as f64;
    let (first, last) = ((steps(low) - 1e-6).ceil() as i64, (steps(high) + 1e-6).floor() as i64);
    // Twice as many as can be wanted: no rounding makes them endless.
    (first..=last)
        .take(2 * most)
        .map(|step| Tick {
            value: times_power_of_ten((step * mantissa) as f64, exponent) * unit,
            label: written(step * mantissa, exponent, &suffix),
        })
        .collect()
}

/// 1-2-5 in narrow ranges, otherwise decades, or every second, third, ... of them.
fn decades(span: Span, kind: &Ticks, most: usize) -> Vec<Tick> {
    let tick = |mantissa: i64, exponent: i32| {
        let (unit, suffix) = decimal_unit(kind, exponent, 4);
        let label = written(mantissa, exponent - unit, &suffix);
        Tick { value: times_power_of_ten(mantissa as f64, exponent), label }
    };
    // Within what an f64 holds, however wide the axis is.
    let first = span.low.log10().floor().max(f64::from(f64::MIN_10_EXP)) as i32;
    let last = span.high.log10().ceil().min(f64::from(f64::MAX_10_EXP)) as i32;
    let on_axis =
        |ticks: Vec<Tick>| -> Vec<Tick> { ticks.into_iter().filter(|tick| span.contains(tick.value)).collect() };
    let whole = on_axis((first..=last).map(|exponent| tick(1, exponent)).collect());
    if whole.len() < 4 {
        let halves =
            on_axis((first..=last).flat_map(|exponent| [1, 2, 5].map(|mantissa| tick(mantissa, exponent))).collect());
        if halves.len() < 3 {
            return linear(Span { scale: Scale::Linear, ..span }, kind, most);
        }
        if halves.len() <= most {
            return halves;
        }
    }
    let every = whole.len().div_ceil(most).max(1);
    if every == 1 {
        let small = |exponent: i32| (2..10).map(move |mantissa| times_power_of_ten(f64::from(mantissa), exponent));
        let bare = (first..=last).flat_map(small).map(|value| Tick { value, label: String::new() });
        return whole.into_iter().chain(bare).collect();
    }
    (first..=last).filter(|exponent| exponent.rem_euclid(every as i32) == 0).map(|exponent| tick(1, exponent)).collect()
}

const BYTES: [&str; 7] = [" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"];

/// Powers of two with exponents that are multiples of 1, 2, 5 or 10.
fn powers_of_two(span: Span, most: usize) -> Vec<Tick> {
    let (first, last) = (span.low.log2().ceil().max(0.0) as i32, span.high.log2().floor().min(1023.0) as i32);
    let exponents = |every: i32| (first..=last).filter(move |exponent| exponent % every == 0);
    let every = [1, 2, 5, 10, 20, 40].into_iter().find(|&every| exponents(every).count() <= most).unwrap_or(100);
    if exponents(every).count() < 2 {
        return linear(Span { scale: Scale::Linear, ..span }, &Ticks::Bytes, most);
    }
    exponents(every)
        .map(|exponent| {
            let unit = (exponent / 10).min(6);
            let label = match exponent - 10 * unit {
                power @ ..63 => written(1 << power, 0, BYTES[unit as usize]),
                _ => format!("2{} B", superscript(exponent)),
            };
            Tick { value: f64::from(exponent).exp2(), label }
        })
        .collect()
}

/// The unit in which values of this power of ten are written: its own power of ten, and what follows the digits.
/// Numbers are shortened to thousands from the power `thousands` on.
fn decimal_unit(kind: &Ticks, magnitude: i32, thousands: i32) -> (i32, String) {
    let (exponent, suffix) = match kind {
        Ticks::Percent => (-2, "%"),
        Ticks::Seconds => match magnitude {
            0.. => (0, " s"),
            -3.. => (-3, " ms"),
            -6.. => (-6, " µs"),
            _ => (-9, " ns"),
        },
        Ticks::Number | Ticks::Bytes | Ticks::Categories(_) => match magnitude {
            12.. | ..-4 => return (magnitude, format!("×10{}", superscript(magnitude))),
            9.. => (9, "G"),
            6.. => (6, "M"),
            _ if magnitude >= thousands => (3, "k"),
            _ => (0, ""),
        },
    };
    (exponent, suffix.to_owned())
}

fn superscript(number: i32) -> String {
    let raise = |letter| match letter {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32(u32::from(digit) - u32::from('0') + u32::from('⁰')).unwrap_or(digit),
    };
    number.to_string().chars().map(raise).collect()
}

/// `mantissa` * 10^`exponent` and the suffix, from digits alone: no rounding can show.
fn written(mantissa: i64, exponent: i32, suffix: &str) -> String {
    if mantissa == 0 {
        return "0".to_owned();
    }
    let decimals = (-exponent).max(0) as usize;
    let mut digits = mantissa.unsigned_abs().to_string();
    digits.extend(std::iter::repeat_n('0', exponent.max(0) as usize));
    let digits = format!("{digits:0>width$}", width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let sign = if mantissa < 0 { "-" } else { "" };
    let point = if decimals > 0 { "." } else { "" };
    let text = format!("{sign}{}{point}{fraction}", separated(whole));
    match suffix.strip_prefix('×') {
        Some(power) if text == "1" => power.to_owned(),
        _ => text + suffix,
    }
}

/// Whole digits with a comma before every three.
pub(super) fn separated(digits: &str) -> String {
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn power_of_ten(exponent: i32) -> f64 {
    10_f64.powi(exponent)
}

/// Negative powers by division: 3 / 10 is the number nearest to 0.3, 3 * 0.1 is not.
fn times_power_of_ten(value: f64, exponent: i32) -> f64 {
    if exponent < 0 { value / power_of_ten(-exponent) } else { value * power_of_ten(exponent) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, low: f64, high: f64, kind: &Ticks, most: usize) -> Vec<String> {
        let ticks = ticks(Span { scale, low, high }, kind, most);
        ticks.into_iter().map(|tick| tick.label).filter(|label| !label.is_empty()).collect()
    }

    #[test]
    fn linear_ticks_are_round_and_free_of_noise() {
        let labels = |low, high, kind| labels(Scale::Linear, low, high, kind, 6);
        assert_eq!(labels(0.0, 0.52, &Ticks::Number), ["0", "0.2", "0.4"]);
        assert_eq!(labels(0.0, 0.5, &Ticks::Number), ["0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(labels(-2.0, 2.0, &Ticks::Number), ["-2", "-1", "0", "1", "2"]);
        assert_eq!(labels(0.0, 4200.0, &Ticks::Number), ["0", "1,000", "2,000", "3,000", "4,000"]);
        assert_eq!(labels(0.0, 2.1e6, &Ticks::Number), ["0", "0.5M", "1.0M", "1.5M", "2.0M"]);
        assert_eq!(labels(0.0, 4.1e-7, &Ticks::Number), ["0", "10⁻⁷", "2×10⁻⁷", "3×10⁻⁷", "4×10⁻⁷"]);
        assert_eq!(labels(0.95, 1.05, &Ticks::Percent), ["96%", "98%", "100%", "102%", "104%"]);
        assert_eq!(labels(0.0, 3.1e-7, &Ticks::Seconds), ["0", "100 ns", "200 ns", "300 ns"]);
        assert_eq!(labels(0.0, 3_500_000.0, &Ticks::Bytes), ["0", "1 MiB", "2 MiB", "3 MiB"]);
    }

    #[test]
    fn wide_logarithmic_axes_have_decades_only() {
        let labels = |low, high, kind, most| labels(Scale::Log10, low, high, kind, most);
        assert_eq!(labels(0.9, 1.2e6, &Ticks::Number, 8), ["1", "10", "100", "1,000", "10k", "100k", "1M"]);
        assert_eq!(labels(0.9, 1.2e6, &Ticks::Number, 4), ["1", "100", "10k", "1M"]);
        assert_eq!(labels(1e-9, 110.0, &Ticks::Seconds, 5), ["1 ns", "1 µs", "1 ms", "1 s"]);
        assert_eq!(labels(3e-5, 2.0, &Ticks::Percent, 8), ["0.01%", "0.1%", "1%", "10%", "100%"]);
        assert_eq!(labels(1e-7, 1e-2, &Ticks::Number, 8), ["10⁻⁷", "10⁻⁶", "10⁻⁵", "0.0001", "0.001", "0.01"]);
    }

    #[test]
    fn narrow_logarithmic_axes_have_1_2_5_or_linear_ticks() {
        let labels = |low, high, kind| labels(Scale::Log10, low, high, kind, 8);
        assert_eq!(labels(0.9, 55.0, &Ticks::Number), ["1", "2", "5", "10", "20", "50"]);
        assert_eq!(labels(2.1, 4.2, &Ticks::Number), ["2.5", "3.0", "3.5", "4.0"]);
    }

    #[test]
    fn bytes_are_powers_of_two() {
        let labels = |low, high| labels(Scale::Log10, low, high, &Ticks::Bytes, 7);
        assert_eq!(labels(1.0, 1.1e9), ["1 B", "32 B", "1 KiB", "32 KiB", "1 MiB", "32 MiB", "1 GiB"]);
        assert_eq!(labels(1000.0, 5000.0), ["1 KiB", "2 KiB", "4 KiB"]);
    }

    /// A logarithmic axis that ended at 0 and infinity asked for 137 GB of ticks.
    #[test]
    fn no_axis_has_endless_ticks() {
        use Scale::{Linear, Log10};
        for (scale, low, high) in [
            (Log10, 0.0, f64::INFINITY),
            (Log10, 1e-300, 1e300),
            (Log10, 1.0, 1e300),
            (Linear, 0.0, 1e300),
            (Linear, -1e300, 1e300),
            (Linear, 0.0, 1e-290),
        ] {
            for kind in [Ticks::Number, Ticks::Bytes, Ticks::Seconds, Ticks::Percent] {
                let count = ticks(Span { scale, low, high }, &kind, 8).len();
                assert!(count <= 100, "{count} ticks of {kind:?} from {low} to {high}");
            }
        }
        assert!(labels(Log10, 1.0, 1e300, &Ticks::Bytes, 7).contains(&"2⁹⁰⁰ B".to_owned()));
    }

    #[test]
    fn values_are_exact() {
        let span = Span { scale: Scale::Linear, low: 0.0, high: 1.0 };
        let values: Vec<f64> = ticks(span, &Ticks::Number, 11).into_iter().map(|tick| tick.value).collect();
        assert_eq!(values, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]);
    }
}
