package roll.openai.answer;

import java.io.IOException;
import org.osgi.annotation.versioning.ConsumerType;
import roll.http.Exchange;
import roll.openai.request.ApiException;

/** The answer to a request that was read. */
@ConsumerType
public interface Answer {
  /**
   * Sends the answer through {@code exchange}.
   *
   * @throws ApiException if the request fails before anything was sent
   * @throws IOException if the client is disconnected, or the request fails later
   */
  void send(Exchange exchange) throws IOException, InterruptedException;
}
