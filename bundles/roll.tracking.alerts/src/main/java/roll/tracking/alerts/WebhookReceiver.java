package roll.tracking.alerts;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An address that alerts are posted to as JSON. */
record WebhookReceiver(URI address) implements AlertReceiver {
  @Override
  public void deliver(Alert alert, Duration limit) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(alert.json()))
            .build();
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    CompletableFuture<HttpResponse<Void>> answer =
        client.sendAsync(request, BodyHandlers.discarding());
    try {
      int status = answer.get(limit.toMillis(), TimeUnit.MILLISECONDS).statusCode();
      if (status / 100 != 2) {
        throw new IOException("it answered " + status);
      }
    } catch (TimeoutException e) {
      throw new IOException("it did not answer within " + Deliveries.seconds(limit), e);
    } catch (ExecutionException e) {
      throw new IOException("it cannot be reached", e);
    } finally {
      answer.cancel(true);
      client.shutdownNow();
    }
  }

  /** The host alone: the rest of an address is often its key. */
  @Override
  public String toString() {
    return address.getHost();
  }
}
