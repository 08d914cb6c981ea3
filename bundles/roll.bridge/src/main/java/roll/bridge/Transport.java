package roll.bridge;

import java.io.IOException;
import org.osgi.annotation.versioning.ProviderType;

/** Transport of lines to and from a peer. */
interface Transport extends AutoCloseable {
  /** Starts receiving; called once, before anything is sent. */
  void open(Listener listener);

  /**
   * Sends {@code line} without a terminator; blocks while the peer accepts no input.
   *
   * @throws IOException if the peer cannot be reached
   */
  void send(String line) throws IOException, InterruptedException;

  /** Last line of the standard error, for messages, or "". */
  default String lastWords() {
    return "";
  }

  /** Closes the input of the peer without waiting, so that a program can end by itself. */
  default void finish() {}

  /** Closes the transport; ends the program with all processes that it has started. */
  @Override
  void close();

  /** Receiver of lines, called by one thread at a time. */
  @ProviderType
  interface Listener {
    /**
     * Receives a line without its terminator; from a WebSocket a message, which may have several.
     */
    void line(String line);

    /** The peer has ended because of {@code why}, such as {@code ended with status 1}. */
    void ended(String why);
  }
}
