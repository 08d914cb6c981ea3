package roll.cluster.transfer.wire;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SocketChannel;
import java.security.MessageDigest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connection to another node, with limits of time that {@link Deadlines} keeps: it closes what is
 * over its limit, so that whoever reads or writes fails. One thread reads and writes; any may
 * close.
 */
public abstract class Conduit implements Closeable {
  private static final long NEVER = Long.MAX_VALUE;
  private static final long START = System.nanoTime();

  private final SocketChannel channel;
  private final Deadlines deadlines;
  private volatile long silence = NEVER;
  private volatile long end = NEVER;
  private volatile long heard;
  private volatile @Nullable String closedFor;

  Conduit(SocketChannel channel, Deadlines deadlines) {
    this.channel = channel;
    this.deadlines = deadlines;
    deadlines.add(this);
  }

  /** Becomes ready for bytes: greets, where the kind of connection asks for it. */
  abstract void open() throws IOException;

  /** The name in the other's certificate; null where there are none. */
  public abstract @Nullable String certified();

  /** Reads at least one byte into the beginning of {@code target}; −1 at the end. */
  abstract int receive(MemorySegment target, @Nullable MessageDigest digest) throws IOException;

  /** Writes at least one byte from the beginning of {@code bytes}. */
  abstract int send(MemorySegment bytes) throws IOException;

  final SocketChannel channel() {
    return channel;
  }

  /** Fills {@code target}; {@code digest} is told of all bytes, if there is one. */
  public final void read(MemorySegment target, @Nullable MessageDigest digest) throws IOException {
    for (long at = 0; at < target.byteSize(); ) {
      int n = guarded(target.asSlice(at), digest);
      if (n < 0) {
        throw new EOFException(closedFor == null ? "the connection ended" : closedFor);
      }
      at += n;
      heard = now();
    }
  }

  private int guarded(MemorySegment target, @Nullable MessageDigest digest) throws IOException {
    try {
      return receive(target, digest);
    } catch (IOException e) {
      throw said(e);
    }
  }

  /** Writes all of {@code bytes}, which are native or an array of bytes. */
  public final void write(MemorySegment bytes) throws IOException {
    try {
      for (long at = 0; at < bytes.byteSize(); ) {
        at += send(bytes.asSlice(at));
        heard = now();
      }
    } catch (IOException e) {
      throw said(e);
    }
  }

  /** Why it failed, if it was closed here. */
  private IOException said(IOException e) {
    String why = closedFor;
    return why == null ? e : new IOException(why, e);
  }

  /** From now on no pause between two bytes may be longer than {@code silence}. */
  public final void expect(Duration silence) {
    heard = now();
    this.silence = silence.toNanos();
    this.end = NEVER;
  }

  /** The same, and what follows must be over within {@code all}. */
  public final void expect(Duration silence, Duration all) {
    expect(silence);
    this.end = now() + all.toNanos();
  }

  /** From now on there is no limit: nothing is read or written. */
  public final void rest() {
    silence = NEVER;
    end = NEVER;
  }

  /** Closes it if it is over a limit. */
  final void check() {
    long now = now();
    long quiet = now - heard;
    if (quiet > silence) {
      close("no byte for %.1f s".formatted(quiet / 1e9));
    } else if (now > end) {
      close("not done in time");
    }
  }

  private static long now() {
    return System.nanoTime() - START;
  }

  /** Closes it; {@code why} is what its reader and writer fail with. */
  public final void close(String why) {
    closedFor = why;
    close();
  }

  @Override
  public final void close() {
    deadlines.remove(this);
    try {
      channel.close();
    } catch (IOException e) {
      // it is of no use any more, whatever it says
    }
  }
}
