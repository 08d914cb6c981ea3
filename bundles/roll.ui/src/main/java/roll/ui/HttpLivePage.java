package roll.ui;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicy.DYNAMIC;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.device.DeviceInspector;
import roll.api.option.UserException;
import roll.http.HttpLimits;
import roll.http.HttpListener;
import roll.http.HttpListenerConfig;
import roll.http.PemFiles;
import roll.runtime.config.ConfigLoader;
import roll.runtime.deploy.Deployer;
import roll.runtime.nodes.Nodes;
import roll.runtime.page.LivePage;
import roll.runtime.page.PageEndpoint;
import roll.runtime.page.PageSettings;
import roll.runtime.pipeline.Planner;
import roll.runtime.pipeline.Trainer;
import roll.runtime.plugin.PluginRegistry;
import roll.runtime.replay.Replays;
import roll.runtime.serving.ListenSettings;
import roll.ui.web.AccessControl;
import roll.ui.web.PageService;

/** Serves the page over HTTP until this component is deactivated. */
@Component(name = "roll.ui")
public final class HttpLivePage implements LivePage {
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~-]{16,256}");

  final Trainer trainer;
  final PluginRegistry plugins;
  final ConfigLoader loader;
  final BundleContext context;
  private final Set<Serving> open = ConcurrentHashMap.newKeySet();

  @Reference(cardinality = OPTIONAL, policy = DYNAMIC, policyOption = GREEDY)
  volatile @Nullable DeviceInspector devices;

  @Reference(cardinality = OPTIONAL, policy = DYNAMIC, policyOption = GREEDY)
  volatile @Nullable Nodes nodes;

  @Reference(cardinality = OPTIONAL, policy = DYNAMIC, policyOption = GREEDY)
  volatile @Nullable Deployer deployer;

  @Reference(cardinality = OPTIONAL, policy = DYNAMIC, policyOption = GREEDY)
  volatile @Nullable Planner planner;

  /** Null while no service replays episodes. */
  @Reference(cardinality = OPTIONAL, policy = DYNAMIC, policyOption = GREEDY)
  volatile @Nullable Replays replays;

  /** Creates the live page of the runs of {@code trainer}. */
  @Activate
  public HttpLivePage(
      @Reference Trainer trainer,
      @Reference PluginRegistry plugins,
      @Reference ConfigLoader loader,
      BundleContext context) {
    this.trainer = trainer;
    this.plugins = plugins;
    this.loader = loader;
    this.context = context;
  }

  @Override
  public PageEndpoint start(PageSettings order) {
    ListenSettings place = order.place();
    String token = place.key();
    if (!place.host().isLoopbackAddress() && (token == null || place.certificate() == null)) {
      throw new UserException(
          "host: %s is open to other machines and needs a token and a certificate; without them only"
                  .formatted(place.host().getHostAddress())
              + " 127.0.0.1 is allowed");
    }
    if (token != null && !TOKEN.matcher(token).matches()) {
      throw new UserException("token: expected 16–256 of A–Z a–z 0–9 . _ ~ -");
    }
    PageRoutes routes = PageRoutes.of(this, order);
    PageService service =
        new PageService(
            routes.router(),
            new AccessControl(token, order.secret(), order.readOnly(), place.certificate() != null),
            routes.events());
    return listen(place, service, routes);
  }

  private PageEndpoint listen(ListenSettings place, PageService service, PageRoutes routes) {
    ListenSettings.Certificate certificate = place.certificate();
    PemFiles files =
        certificate == null ? null : new PemFiles(certificate.chain(), certificate.key());
    HttpListenerConfig there =
        new HttpListenerConfig(
            place.host(), place.port(), place.names(), files, HttpLimits.standard());
    try {
      Serving serving = new Serving(HttpListener.start(there, service), service, routes, place);
      open.add(serving);
      return serving;
    } catch (IOException e) {
      routes.close();
      String reason = String.valueOf(e.getMessage());
      throw new UserException(
          "port: cannot listen on %s: %s%s"
              .formatted(
                  place,
                  reason,
                  reason.contains("in use")
                      ? "; perhaps another page is open there (--port 0 picks a free port)"
                      : ""),
          e);
    } catch (RuntimeException e) {
      routes.close();
      throw e;
    }
  }

  /** Closes all live pages. */
  @Deactivate
  public void close() {
    open.forEach(Serving::close);
  }

  /** A live page that is being served. */
  private final class Serving implements PageEndpoint {
    private final HttpListener listener;
    private final PageService service;
    private final PageRoutes routes;
    private final ListenSettings place;

    Serving(HttpListener listener, PageService service, PageRoutes routes, ListenSettings place) {
      this.listener = listener;
      this.service = service;
      this.routes = routes;
      this.place = place;
    }

    @Override
    public URI address() {
      InetSocketAddress at = listener.address();
      return URI.create(
          "%s://%s:%d/%s"
              .formatted(
                  place.certificate() == null ? "http" : "https",
                  host(at.getAddress()),
                  at.getPort(),
                  place.key() == null ? "" : "#token=" + place.key()));
    }

    /** Returns the address; beyond loopback the first allowed host name, if there is one. */
    private String host(InetAddress at) {
      if (!at.isLoopbackAddress()) {
        for (String name : place.names()) {
          if (!name.equals("*")) {
            return name;
          }
        }
      }
      String host = at.getHostAddress();
      return host.contains(":") ? "[" + host + "]" : host;
    }

    @Override
    public void close() {
      if (open.remove(this)) {
        service.close();
        listener.close();
        routes.close();
      }
    }
  }
}
