//! Sums of probabilities that are given by their logarithms.

/// Returns the logarithm of the mean.
pub(super) fn log_mean(logs: &[f64]) -> f64 {
    let max = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if max == f64::NEG_INFINITY {
        return max;
    }
    let sum: f64 = logs.iter().map(|log| (log - max).exp()).sum();
    max + (sum / logs.len() as f64).ln()
}

#[cfg(test)]
mod tests {
    use super::log_mean;

    #[test]
    fn log_mean_is_the_log_of_the_mean() {
        let close = |logs: &[f64], mean: f64| (log_mean(logs).exp() - mean).abs() < 1e-12;
        assert!(close(&[0.5_f64.ln(), 0.25_f64.ln()], 0.375));
        assert!(close(&[f64::NEG_INFINITY, 0.0], 0.5));
        assert_eq!(log_mean(&[-2000.0, -2000.0]), -2000.0);
    }
}
