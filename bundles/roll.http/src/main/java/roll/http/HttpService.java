package roll.http;

import java.io.IOException;
import org.osgi.annotation.versioning.ConsumerType;

/** What a listener serves. Called from any thread, a virtual one for each request. */
@ConsumerType
public interface HttpService {
  /**
   * Answers a request. Whatever else it throws is a failure of the server: it is logged, and
   * answered with 500 if nothing was sent.
   *
   * @throws HttpRefusal to have {@link #refusal} sent
   * @throws IOException if the client is gone, or nothing more can be said to it: the connection is
   *     closed
   * @throws InterruptedException if the listener is being closed
   */
  void answer(Exchange exchange) throws IOException, InterruptedException;

  /** JSON that says why the listener refuses a request. */
  String refusal(int status, String message);
}
