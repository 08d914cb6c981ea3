package roll.ui.web;

import java.io.IOException;

/** Answers the requests of one HTTP route. Called from any thread. */
@FunctionalInterface
public interface Endpoint {
  /**
   * Returns the answer to the API request {@code request}.
   *
   * @throws roll.api.option.UserException if the request is invalid: 400 with its line
   * @throws roll.http.HttpRefusal with another status and line
   * @throws IOException if a file cannot be read: 500 with a line
   * @throws InterruptedException if the server is being closed
   */
  ApiAnswer answer(ApiRequest request) throws IOException, InterruptedException;
}
