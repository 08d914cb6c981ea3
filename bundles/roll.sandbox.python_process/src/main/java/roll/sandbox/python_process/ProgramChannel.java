package roll.sandbox.python_process;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;

/**
 * The connection to the process of a session. A program shares that process with the code that
 * reports its result, so a result is only accepted if it repeats the nonce of this program and has
 * a plausible size.
 */
final class ProgramChannel implements AutoCloseable {
  /** Suspends and resumes the process. */
  interface Halt {
    /** Suspends or resumes the process, if it exists. */
    void set(boolean stopped) throws IOException;
  }

  private static final int NONCE = 16;
  private static final int LINE = 200;
  private static final int ERROR = 8192;
  private final SecureRandom random = new SecureRandom();
  private final SocketChannel channel;
  private final InputStream answers;
  private final Halt halt;
  private boolean halted;

  /** Creates the connection over {@code channel}, which is closed with it. */
  ProgramChannel(SocketChannel channel, Halt halt) {
    this.channel = channel;
    this.halt = halt;
    answers = new BufferedInputStream(Channels.newInputStream(channel));
  }

  /**
   * Runs {@code program} and waits for its end. Afterwards the process is suspended until the next
   * program, also if the program only pretended to end.
   *
   * @param printed receives the output while the program runs
   * @param characters maximum characters of output
   * @throws IOException if the process ends early or its answer is invalid
   */
  Execution ask(String program, ProgramOutput printed, int characters) throws IOException {
    byte[] drawn = new byte[NONCE];
    random.nextBytes(drawn);
    String nonce = HexFormat.of().formatHex(drawn);
    byte[] source = program.getBytes(StandardCharsets.UTF_8);
    if (halted) { // a first program that suspends itself is not resumed
      halt.set(false);
    }
    String header = nonce + " " + source.length + " " + characters + "\n";
    write(header.getBytes(StandardCharsets.US_ASCII));
    write(source);
    long left = 4L * (characters + 1);
    while (true) {
      String[] answer = line().split(" ", -1);
      if (answer.length == 2 && answer[0].equals("O")) {
        int length = length(answer[1], left);
        printed.add(read(length));
        left -= length;
      } else if (answer.length == 4 && answer[0].equals("E") && answer[1].equals(nonce)) {
        String error = new String(read(length(answer[3], ERROR)), StandardCharsets.UTF_8);
        halt.set(true);
        halted = true;
        return new Execution(outcome(answer[2]), printed.text(), error);
      } else {
        throw new EOFException("no answer");
      }
    }
  }

  private void write(byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = answers.read(); c != '\n'; c = answers.read()) {
      if (c < 0 || line.length() > LINE) {
        throw new EOFException("no answer");
      }
      line.append((char) c);
    }
    return line.toString();
  }

  private byte[] read(int length) throws IOException {
    byte[] bytes = answers.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("no answer");
    }
    return bytes;
  }

  private static int length(String digits, long most) throws IOException {
    if (!digits.matches("[0-9]{1,9}") || Integer.parseInt(digits) > most) {
      throw new EOFException("no answer");
    }
    return Integer.parseInt(digits);
  }

  private static Outcome outcome(String name) throws IOException {
    return switch (name) {
      case "DONE" -> Outcome.DONE;
      case "FAILED" -> Outcome.FAILED;
      case "MEMORY" -> Outcome.MEMORY;
      default -> throw new EOFException("no answer");
    };
  }

  /** Ends the process in any state. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // the process has ended
    }
  }
}
