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
import roll.shell.http.SelfReference;
import roll.shell.syntax.RequiredService;

/**
 * The pages that this process has open, by their ports. A page outlives the bundle that serves it:
 * when that is back, or another version of it, so is the page, at the same address and with the
 * same token.
 */
@Component(name = "roll.shell.pages", service = OpenPages.class)
public final class OpenPages implements AutoCloseable {
  private final SelfReference use;
  private final Map<Integer, OpenPage> open = new TreeMap<>();
  private @Nullable LivePage server;
  private boolean closed;

  /** None so far. */
  @Activate
  public OpenPages(ComponentContext component) {
    this(SelfReference.of(component));
  }

  /** The same, outside a framework too. */
  public OpenPages(SelfReference use) {
    this.use = use;
  }

  /** From now on {@code page} serves all of them. */
  @Reference(cardinality = OPTIONAL, policy = DYNAMIC, policyOption = GREEDY)
  public synchronized void bindServer(LivePage page) {
    server = page;
    open.values().forEach(one -> one.servedBy(page));
  }

  /** {@code page} serves nothing any more. */
  public synchronized void unbindServer(LivePage page) {
    if (page.equals(server)) {
      server = null;
      open.values().forEach(OpenPage::lost);
    }
  }

  /**
   * Opens a page until the result is closed or this is.
   *
   * @param command who asks, for messages
   * @param elsewhere whether any free port will do where that of {@code order} is taken
   * @throws UserException if this distribution has no pages, or the order is wrong
   */
  public synchronized OpenPage open(String command, PageSettings order, boolean elsewhere) {
    LivePage known = RequiredService.of(server, command, "roll.ui");
    if (closed) {
      throw new UserException(command + ": the shell is being replaced; try again");
    }
    OpenPage page = new OpenPage(order, started(known, order, elsewhere), use.begin(), this::gone);
    open.put(page.port(), page);
    return page;
  }

  private static PageEndpoint started(LivePage server, PageSettings order, boolean elsewhere) {
    try {
      return server.start(order);
    } catch (UserException e) {
      if (!elsewhere) {
        throw e;
      }
      return server.start(order.at(0));
    }
  }

  private synchronized void gone(OpenPage page) {
    open.remove(page.port(), page);
  }

  /** A line for each; empty if there is none. */
  public synchronized String list() {
    return open.values().stream().map(OpenPage::line).collect(Collectors.joining("\n"));
  }

  /**
   * Closes that at {@code port}.
   *
   * @throws UserException if there is none
   */
  public String stop(int port) {
    OpenPage page;
    synchronized (this) {
      page = open.get(port);
    }
    if (page == null) {
      throw new UserException("ui: no page is open at port " + port);
    }
    page.close();
    return "closed " + page.plainAddress();
  }

  /** Closes all, and opens none any more. */
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
