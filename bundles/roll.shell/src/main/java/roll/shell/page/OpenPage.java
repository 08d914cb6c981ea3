package roll.shell.page;

import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.page.LivePage;
import roll.runtime.page.PageEndpoint;
import roll.runtime.page.PageSettings;

/** A page at an address, which is served, or will be again when its bundle is back. */
public final class OpenPage implements AutoCloseable {
  private static final String GONE = "waiting for the bundle roll.ui";

  private final PageSettings order;
  private final URI address;
  private final Runnable using;
  private final Consumer<OpenPage> whenGone;
  private final CountDownLatch gone = new CountDownLatch(1);
  private @Nullable PageEndpoint served;
  private String why = GONE;
  private boolean closed;

  /**
   * A page that is served from now on.
   *
   * @param order of it; the port is that of {@code served}
   * @param using ends what holds the component that this belongs to
   * @param whenGone told when it is closed
   */
  OpenPage(PageSettings order, PageEndpoint served, Runnable using, Consumer<OpenPage> whenGone) {
    this.address = served.address();
    this.order = order.at(address.getPort());
    this.served = served;
    this.using = using;
    this.whenGone = whenGone;
  }

  /** Where it is, or will be. */
  int port() {
    return address.getPort();
  }

  /** What to type into a browser; with the token, which is to be shown once. */
  public String address() {
    return address.toString();
  }

  /** The same without the token. */
  public String plainAddress() {
    return address.toString().replaceFirst("#.*", "");
  }

  /** The address without the token, and why nothing answers there where that is so. */
  synchronized String line() {
    return plainAddress() + (served == null ? " (" + why + ")" : "");
  }

  /** Its server is gone, and what it has open is closed. */
  synchronized void lost() {
    PageEndpoint before = served;
    served = null;
    why = GONE;
    if (before != null) {
      before.close();
    }
  }

  /** It is served by {@code server} from now on, at the address that it had, if that is free. */
  synchronized void servedBy(LivePage server) {
    if (closed) {
      return;
    }
    lost();
    try {
      served = server.start(order);
    } catch (UserException e) {
      why = e.getMessage();
    }
  }

  /** Waits for its end. */
  public void await() throws InterruptedException {
    gone.await();
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    try {
      lost();
    } finally {
      whenGone.accept(this);
      gone.countDown();
      using.run();
    }
  }
}
