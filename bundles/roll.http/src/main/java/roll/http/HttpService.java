package roll.http;

import java.io.IOException;
import org.osgi.annotation.versioning.ConsumerType;

/** The handler of all HTTP requests of a listener. Called on a virtual thread per request. */
@ConsumerType
public interface HttpService {
  /**
   * Answers an HTTP request. Any other exception is a failure of the server: it is logged, and
   * answered with 500 if nothing was sent.
   *
   * @throws HttpRefusal to send {@link #refusal}
   * @throws IOException if the client is disconnected or no more can be sent; the connection is
   *     closed
   * @throws InterruptedException if the listener is closed
   */
  void answer(Exchange exchange) throws IOException, InterruptedException;

  /** Returns the JSON body of a refusal by the listener. */
  String refusal(int status, String message);
}
