package roll.shell.page;

import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.page.LivePage;
import roll.runtime.page.PageEndpoint;
import roll.runtime.page.PageSettings;

/** An open live page; served again at the same address after its bundle was replaced. */
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
   * A page that is being served.
   *
   * @param order settings of the page; the port is that of {@code served}
   * @param using ends the use of the owning component
   * @param whenGone called when the page is closed
   */
  OpenPage(PageSettings order, PageEndpoint served, Runnable using, Consumer<OpenPage> whenGone) {
    this.address = served.address();
    this.order = order.at(address.getPort());
    this.served = served;
    this.using = using;
    this.whenGone = whenGone;
  }

  /** Returns the port, even while the page is not served. */
  int port() {
    return address.getPort();
  }

  /** Returns the address for a browser, with the token, which is shown only once. */
  public String address() {
    return address.toString();
  }

  /** Returns the address without the token. */
  public String plainAddress() {
    return address.toString().replaceFirst("#.*", "");
  }

  /** Returns the address without the token, and the reason if the page is not served. */
  synchronized String line() {
    return plainAddress() + (served == null ? " (" + why + ")" : "");
  }

  /** Called when the server is gone; closes the served page. */
  synchronized void lost() {
    PageEndpoint before = served;
    served = null;
    why = GONE;
    if (before != null) {
      before.close();
    }
  }

  /** Serves the page with {@code server} at its previous address, if that is free. */
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

  /** Waits until the page is closed. */
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
