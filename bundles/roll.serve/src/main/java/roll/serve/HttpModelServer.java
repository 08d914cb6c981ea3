package roll.serve;

import org.osgi.service.component.annotations.Component;
import roll.api.option.UserException;
import roll.runtime.serving.ModelServer;
import roll.runtime.serving.ServedModel;
import roll.runtime.serving.ServedPlace;
import roll.runtime.serving.Serving;

/** Serves over HTTP as OpenAI's interface has it; to other machines only who knows the key. */
@Component(name = "roll.serve")
public final class HttpModelServer implements ModelServer {
  @Override
  public Serving start(ServedModel model, ServedPlace place) {
    String key = place.key();
    if (key == null && !place.host().isLoopbackAddress()) {
      throw new UserException(
          "host: %s is open to other machines, which needs a key; without one only %s is allowed"
              .formatted(place.host().getHostAddress(), "127.0.0.1"));
    }
    if (key != null && !key.matches("[!-~]+")) {
      throw new UserException("api-key: expected a text of ASCII characters without spaces");
    }
    return HttpServing.start(new Routes(model, key, place.limits()), place);
  }
}
