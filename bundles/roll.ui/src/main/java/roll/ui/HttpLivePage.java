package roll.ui;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.UserException;
import roll.http.HttpLimits;
import roll.http.HttpListener;
import roll.http.HttpPlace;
import roll.runtime.page.LivePage;
import roll.runtime.page.PageOrder;
import roll.runtime.page.ServedPage;
import roll.runtime.pipeline.Trainer;
import roll.ui.web.PageService;

/** Serves the page over HTTP. */
@Component(name = "roll.ui")
public final class HttpLivePage implements LivePage {
  private static final int TOKEN_BYTES = 16;

  private final Trainer trainer;
  private final String version;

  /** A page of the runs of {@code trainer}. */
  @Activate
  public HttpLivePage(@Reference Trainer trainer, BundleContext context) {
    this.trainer = trainer;
    this.version = context.getBundle().getVersion().toString();
  }

  @Override
  public ServedPage start(PageOrder order) {
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    PageService service =
        new PageService(
            Routes.of(trainer, order, version), HexFormat.of().formatHex(random), order.readOnly());
    HttpPlace place =
        new HttpPlace(
            order.place().host(),
            order.place().port(),
            order.place().names(),
            null,
            HttpLimits.standard());
    try {
      return new Serving(HttpListener.start(place, service));
    } catch (IOException e) {
      throw new UserException(
          "port: cannot listen on %s: %s".formatted(order.place(), e.getMessage()), e);
    }
  }

  private record Serving(HttpListener listener) implements ServedPage {
    @Override
    public URI address() {
      InetSocketAddress at = listener.address();
      String host = at.getAddress().getHostAddress();
      return URI.create(
          "http://%s:%d/".formatted(host.contains(":") ? "[" + host + "]" : host, at.getPort()));
    }

    @Override
    public void close() {
      listener.close();
    }
  }
}
