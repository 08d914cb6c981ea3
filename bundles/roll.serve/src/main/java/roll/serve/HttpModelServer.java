package roll.serve;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.UserException;
import roll.openai.dialect.Dialects;
import roll.runtime.serving.ListenSettings;
import roll.runtime.serving.ModelServer;
import roll.runtime.serving.ServedModel;
import roll.runtime.serving.Serving;

/** Serves models over HTTP in several dialects; other machines need a key. */
@Component(name = "roll.serve")
public final class HttpModelServer implements ModelServer {
  /** Minimum characters of an API key if other machines can connect. */
  private static final int SHORTEST = 16;

  private final Dialects dialects;

  /** Creates a server of conversations in {@code dialects}. */
  @Activate
  public HttpModelServer(@Reference Dialects dialects) {
    this.dialects = dialects;
  }

  @Override
  public Serving start(ServedModel model, ListenSettings place) {
    String key = place.key();
    boolean open = !place.host().isLoopbackAddress();
    if (key == null && open) {
      throw new UserException(
          "host: %s is open to other machines, which needs a key; without one only %s is allowed"
              .formatted(place.host().getHostAddress(), "127.0.0.1"));
    }
    if (key != null && open && key.length() < SHORTEST) {
      throw new UserException(
          "api-key: expected at least %d characters where other machines may guess, found %d"
              .formatted(SHORTEST, key.length()));
    }
    if (key != null && !key.matches("[!-~]+")) {
      throw new UserException("api-key: expected a text of ASCII characters without spaces");
    }
    return HttpServing.start(new Routes(model, key, place.limits(), dialects), place);
  }
}
