//! Memory and processor time of a process, as the system counts them.

use std::fs;
use std::time::Duration;

/// Memory in use, in MB.
pub fn memory_mb() -> f64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kb = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    kb.expect("a number of kB") / 1000.0
}

/// Processor time that a process has taken, in steps of 10 ms.
pub fn cpu(process: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).expect("Linux");
    // The name may hold anything; the numbers stand behind it.
    let rest = stat.rsplit(')').next().expect("a name");
    let fields: Vec<u64> = rest
        .split_whitespace()
        .skip(11)
        .take(2)
        .map(|field| field.parse().expect("a number"))
        .collect();
    Duration::from_millis(fields.iter().sum::<u64>() * 10)
}

/// Milliseconds.
pub fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The middle one, and the longest.
pub fn median_and_worst(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort_unstable();
    (times[times.len() / 2], *times.last().expect("some"))
}
