package roll.main;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A read that waits for a pipe ends with an interrupt. */
@Timeout(60)
class InterruptibleInputTest {
  @Test
  void everyByteComesThrough() throws IOException {
    byte[] bytes = new byte[100_000];
    new Random(1).nextBytes(bytes);
    InputStream in = new InterruptibleInput(new ByteArrayInputStream(bytes));
    assertEquals(bytes[0] & 0xff, in.read());
    assertTrue(in.available() > 0);
    byte[] rest = in.readAllBytes();
    assertEquals(bytes.length - 1, rest.length);
    assertArrayEquals(Arrays.copyOfRange(bytes, 1, bytes.length), rest);
    assertEquals(-1, in.read());
    assertEquals(-1, in.read(new byte[1], 0, 1));
    assertEquals(0, in.read(new byte[1], 0, 0));
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    try (PipedOutputStream silent = new PipedOutputStream();
        PipedInputStream pipe = new PipedInputStream(silent)) {
      InputStream in = new InterruptibleInput(pipe);
      CompletableFuture<Throwable> ended = new CompletableFuture<>();
      AtomicBoolean interrupted = new AtomicBoolean(true);
      Thread reader =
          Thread.ofPlatform()
              .start(
                  () -> {
                    Throwable end = assertThrows(InterruptedIOException.class, () -> in.read());
                    interrupted.set(Thread.currentThread().isInterrupted());
                    ended.complete(end);
                  });
      reader.interrupt();
      assertTrue(ended.get(30, TimeUnit.SECONDS) instanceof InterruptedIOException);
      assertFalse(interrupted.get(), "it is heard, and disturbs nothing afterwards");
      silent.write('a');
      silent.flush();
      assertEquals('a', in.read(), "and it may be read again");
    }
  }

  @Test
  void aFailureIsThatOfTheInput() {
    IOException failure = new IOException("broken");
    InputStream in =
        new InterruptibleInput(
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw failure;
              }

              @Override
              public int read(byte[] bytes, int offset, int length) throws IOException {
                throw failure;
              }
            });
    assertSame(failure, assertThrows(IOException.class, () -> in.read()));
    assertSame(failure, assertThrows(IOException.class, () -> in.read()));
  }
}
