package roll.ui.web;

import java.io.IOException;
import java.util.List;

/** What readers of events are told of. */
public interface EventSource {
  /** The runs there are. */
  List<Seen> runs() throws IOException, InterruptedException;

  /** A number that rises whenever a service comes or goes. */
  long services();

  /**
   * A run as it is now.
   *
   * @param id of the run
   * @param json one line; who has the same has missed nothing
   * @param live whether it goes on in this process
   */
  record Seen(String id, String json, boolean live) {}
}
