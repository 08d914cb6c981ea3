package roll.shell.page;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicy.DYNAMIC;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.UserException;
import roll.runtime.page.LivePage;
import roll.runtime.page.PageEndpoint;
import roll.runtime.page.PageSettings;
import roll.shell.http.ComponentKeepAlive;
import roll.shell.syntax.RequiredService;

/**
 * The open pages of this process by port. A page survives the bundle that serves it: when the
 * bundle is back, possibly in another version, the page is too, with the same address and token.
 */
@Component(name = "roll.shell.pages", service = OpenPages.class)
public final class OpenPages implements AutoCloseable {
  private final ComponentKeepAlive use;
  private final Map<Integer, OpenPage> open = new TreeMap<>();
  private @Nullable LivePage server;
  private boolean closed;

  /** Creates the registry of open pages, without pages. */
  @Activate
  public OpenPages(ComponentContext component) {
    this(ComponentKeepAlive.of(component));
  }

  /** For use outside a framework too. */
  public OpenPages(ComponentKeepAlive use) {
    this.use = use;
  }

  /** Serves all pages with {@code page} from now on. */
  @Reference(cardinality = OPTIONAL, policy = DYNAMIC, policyOption = GREEDY)
  public synchronized void bindServer(LivePage page) {
    server = page;
    open.values().forEach(one -> one.servedBy(page));
  }

  /** Stops using the live page service {@code page}. */
  public synchronized void unbindServer(LivePage page) {
    if (page.equals(server)) {
      server = null;
      open.values().forEach(OpenPage::lost);
    }
  }

  /**
   * Opens a page until the result or this object is closed.
   *
   * @param command for messages
   * @param anyPort whether to use any free port if that of {@code order} is taken
   * @throws UserException if the distribution has no pages, or the order is invalid
   */
  public synchronized OpenPage open(String command, PageSettings order, boolean anyPort) {
    LivePage known = RequiredService.of(server, command, "roll.ui");
    if (closed) {
      throw new UserException(command + ": the shell is being replaced; try again");
    }
    OpenPage page = new OpenPage(order, started(known, order, anyPort), use.begin(), this::gone);
    open.put(page.port(), page);
    return page;
  }

  private static PageEndpoint started(LivePage server, PageSettings order, boolean anyPort) {
    try {
      return server.start(order);
    } catch (UserException e) {
      if (!anyPort) {
        throw e;
      }
      return server.start(order.at(0));
    }
  }

  private synchronized void gone(OpenPage page) {
    open.remove(page.port(), page);
  }

  /** Returns a line for each page; empty if there is none. */
  public synchronized String list() {
    return open.values().stream().map(OpenPage::line).collect(Collectors.joining("\n"));
  }

  /**
   * Stops the live page at {@code port}.
   *
   * @throws UserException if there is none
   */
  public String stop(int port) {
    OpenPage page;
    synchronized (this) {
      page = open.get(port);
    }
    if (page == null) {
      throw new UserException("ui: no page is open on port " + port);
    }
    page.close();
    return "closed " + page.plainAddress();
  }

  /** Closes all pages and refuses to open further ones. */
  @Override
  @Deactivate
  public void close() {
    List<OpenPage> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(open.values());
    }
    all.forEach(OpenPage::close);
  }
}
