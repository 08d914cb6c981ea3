package roll.serve;

import java.io.IOException;
import java.net.InetSocketAddress;
import roll.api.option.UserException;
import roll.http.HttpLimits;
import roll.http.HttpListener;
import roll.http.HttpListenerConfig;
import roll.http.PemFiles;
import roll.runtime.serving.ClientLimits;
import roll.runtime.serving.ListenSettings;
import roll.runtime.serving.Serving;

/** A model served over HTTP. */
final class HttpServing implements Serving {
  private final HttpListener listener;

  private HttpServing(HttpListener listener) {
    this.listener = listener;
  }

  /**
   * Starts the HTTP server of the model at {@code place}.
   *
   * @throws UserException if the address cannot be bound
   */
  static HttpServing start(Routes routes, ListenSettings place) {
    ListenSettings.Certificate certificate = place.certificate();
    PemFiles files =
        certificate == null ? null : new PemFiles(certificate.chain(), certificate.key());
    HttpListenerConfig there =
        new HttpListenerConfig(
            place.host(), place.port(), place.names(), files, limits(place.limits()));
    try {
      return new HttpServing(HttpListener.start(there, routes));
    } catch (IOException e) {
      String reason = String.valueOf(e.getMessage());
      throw new UserException(
          "port: cannot listen on %s: %s%s"
              .formatted(
                  place,
                  reason,
                  reason.contains("in use")
                      ? "; another program listens there (--port 0 picks a free port)"
                      : ""),
          e);
    }
  }

  private static HttpLimits limits(ClientLimits limits) {
    HttpLimits standard = HttpLimits.standard();
    return new HttpLimits(
        limits.connections(),
        limits.clientConnections(),
        limits.patience(),
        standard.body(),
        standard.bodies());
  }

  @Override
  public InetSocketAddress address() {
    return listener.address();
  }

  @Override
  public void close() {
    listener.close();
  }
}
