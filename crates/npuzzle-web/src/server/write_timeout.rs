//! A connection whose patience ends: nobody takes a byte of the answer for too long, or it is taken in
//! drops without end, and it is over.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::config::Limits;

/// A stream that fails when a write stalls, or all that is to be written takes too long. Readers have
/// clocks of their own.
pub(crate) struct Patient<S> {
    stream: S,
    stall: Duration,
    taking: Duration,
    /// Runs while a write waits.
    alarm: Option<Alarm>,
    /// Runs from the first write that waits until all is written.
    end: Option<Alarm>,
}

type Alarm = Pin<Box<Sleep>>;

impl<S> Patient<S> {
    pub(crate) fn new(stream: S, limits: &Limits) -> Patient<S> {
        Patient { stream, stall: limits.stall, taking: limits.taking, alarm: None, end: None }
    }

    /// Lets a write wait as long as the alarms are silent.
    fn within<T>(
        &mut self,
        context: &mut Context<'_>,
        polled: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.alarm = None;
            return polled;
        }
        let (stall, taking) = (self.stall, self.taking);
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep(stall)));
        let end = self.end.get_or_insert_with(|| Box::pin(sleep(taking)));
        let is_over =
            alarm.as_mut().poll(context).is_ready() || end.as_mut().poll(context).is_ready();
        if is_over { Poll::Ready(Err(io::ErrorKind::TimedOut.into())) } else { Poll::Pending }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.within(context, polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_flush(context);
        // Asked for when there is nothing more to write.
        if polled.is_ready() {
            self.end = None;
        }
        self.within(context, polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_shutdown(context);
        self.within(context, polled)
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
        self.within(context, polled)
    }
}
