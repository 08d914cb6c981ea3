package roll.bridge;

import java.io.IOException;
import org.osgi.annotation.versioning.ProviderType;

/** A way to a peer that takes lines and gives lines back. */
interface Transport extends AutoCloseable {
  /** Begins to tell {@code listener} what comes; called once, before anything is sent. */
  void open(Listener listener);

  /**
   * Sends {@code line}, which has no line end; blocks while the peer takes nothing.
   *
   * @throws IOException if it cannot be reached
   */
  void send(String line) throws IOException, InterruptedException;

  /** Whatever was said last beside the answers, for messages; empty where nothing was. */
  default String lastWords() {
    return "";
  }

  /**
   * Says that nothing more will be sent, and does not wait: a program that is waiting for it may
   * end by itself.
   */
  default void finish() {}

  /** Ends the way, and a program that it led to with all that it started. */
  @Override
  void close();

  /** Who is told what comes. Called by one thread at a time. */
  @ProviderType
  interface Listener {
    /** A line came, without its end; over a WebSocket a message, which may have several. */
    void line(String line);

    /** Nothing will come any more, because of {@code why}, such as {@code ended with status 1}. */
    void ended(String why);
  }
}
