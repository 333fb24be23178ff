//! A stream with two write timeouts: for a client that reads nothing, and for the whole response.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::config::ServerLimits;

/// A stream whose writes fail with [`io::ErrorKind::TimedOut`] if one of them makes no progress for
/// the stall timeout, or if the buffered data is not flushed within the write timeout.
///
/// Reads are passed through; the HTTP layer has its own timeouts for them.
pub(crate) struct WriteTimeout<S> {
    stream: S,
    stall_timeout: Duration,
    write_timeout: Duration,
    /// Runs while a single write is pending.
    stall_timer: Option<Timer>,
    /// Runs from the first pending write until everything is flushed.
    write_timer: Option<Timer>,
}

type Timer = Pin<Box<Sleep>>;

impl<S> WriteTimeout<S> {
    pub(crate) fn new(stream: S, limits: &ServerLimits) -> WriteTimeout<S> {
        let ServerLimits { stall_timeout, write_timeout, .. } = *limits;
        WriteTimeout { stream, stall_timeout, write_timeout, stall_timer: None, write_timer: None }
    }

    /// Returns the result of a write, or an error if it is pending and a timer has expired.
    fn check_timers<T>(
        &mut self,
        context: &mut Context<'_>,
        polled: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.stall_timer = None;
            return polled;
        }
        let (stall_timeout, write_timeout) = (self.stall_timeout, self.write_timeout);
        let stall_timer = self.stall_timer.get_or_insert_with(|| Box::pin(sleep(stall_timeout)));
        let write_timer = self.write_timer.get_or_insert_with(|| Box::pin(sleep(write_timeout)));
        let is_expired = stall_timer.as_mut().poll(context).is_ready()
            || write_timer.as_mut().poll(context).is_ready();
        if is_expired { Poll::Ready(Err(io::ErrorKind::TimedOut.into())) } else { Poll::Pending }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.check_timers(context, polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_flush(context);
        // Hyper flushes when it has nothing more to write.
        if polled.is_ready() {
            self.write_timer = None;
        }
        self.check_timers(context, polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_shutdown(context);
        self.check_timers(context, polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.check_timers(context, polled)
    }
}
