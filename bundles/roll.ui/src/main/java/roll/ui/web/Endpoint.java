package roll.ui.web;

import java.io.IOException;

/** Answers the requests of one pattern. Called from any thread. */
@FunctionalInterface
public interface Endpoint {
  /**
   * The answer to {@code ask}.
   *
   * @throws roll.api.option.UserException if the request is wrong: 400 with its line
   * @throws roll.http.HttpRefusal with another status and line
   * @throws IOException if what is asked for cannot be read: 500 with a line
   * @throws InterruptedException if the server is being closed
   */
  Answer answer(Ask ask) throws IOException, InterruptedException;
}
