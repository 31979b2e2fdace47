//! SIGTERM and SIGINT: the first signal stops the harvest, the second ends the process.

use anyhow::Context;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// The exit code after the second signal, as shells have it for SIGINT.
const TWICE: i32 = 130;

/// A flag that the first signal sets. The second one ends the process; the next harvest
/// repeats unfinished work.
///
/// # Errors
///
/// If the system gives no more threads.
pub fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot wait for signals: the system gives no more threads or files")?;
    // Before the thread begins, so that no signal comes too early.
    let mut signals = {
        let _inside = runtime.enter();
        listen().context("cannot wait for signals")?
    };
    let sign = Arc::clone(&stop);
    std::thread::Builder::new()
        .name("forest-signals".to_owned())
        .spawn(move || {
            runtime.block_on(async move {
                if signals.recv().await.is_some() {
                    sign.store(true, Ordering::SeqCst);
                }
                if signals.recv().await.is_some() {
                    std::process::exit(TWICE);
                }
            });
        })?;
    Ok(stop)
}

#[cfg(unix)]
fn listen() -> io::Result<UnboundedReceiver<()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (send, receive) = unbounded_channel();
    for kind in [SignalKind::terminate(), SignalKind::interrupt()] {
        let (mut signals, send) = (signal(kind)?, send.clone());
        tokio::spawn(async move {
            while signals.recv().await.is_some() {
                // Nobody listens any more after the second.
                let _ = send.send(());
            }
        });
    }
    Ok(receive)
}

#[cfg(not(unix))]
fn listen() -> io::Result<UnboundedReceiver<()>> {
    let (send, receive) = unbounded_channel();
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            let _ = send.send(());
        }
    });
    Ok(receive)
}
