package roll.bridge;

import java.io.IOException;
import java.io.InputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies the standard error of a program to the log, with a limited number of lines. */
final class ErrorLog implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger("roll.bridge");
  private static final int MAX_BYTES = 4096;
  private static final int MAX_LINES = 100;
  private static final long WINDOW = 10_000_000_000L;

  private final String name;
  private final LineReader lines;
  private volatile String last = "";
  private long began;
  private int told;
  private int leftOut;

  /** Creates the log of the program {@code name}. */
  ErrorLog(String name, InputStream errors) {
    this.name = name;
    lines = new LineReader(errors, MAX_BYTES, true);
  }

  /** Returns the last line that is not blank, or "". */
  String last() {
    return PeerException.oneLine(last);
  }

  @Override
  public void run() {
    try {
      for (String line = lines.line(); line != null; line = lines.line()) {
        if (!line.isBlank()) {
          tell(line);
        }
      }
    } catch (IOException e) {
      // the program has been ended
    }
  }

  private void tell(String line) {
    last = line;
    long now = System.nanoTime();
    if (told == 0 || now - began > WINDOW) {
      if (leftOut > 0) {
        LOG.info("{}: … {} more lines", name, leftOut);
      }
      began = now;
      told = 0;
      leftOut = 0;
    }
    if (told < MAX_LINES) {
      told++;
      LOG.info("{}: {}", name, PeerException.oneLine(line));
    } else {
      leftOut++;
    }
  }
}
