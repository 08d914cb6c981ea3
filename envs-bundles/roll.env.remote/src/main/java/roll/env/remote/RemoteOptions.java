package roll.env.remote;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.RawOptions;
import roll.api.option.UserException;
import roll.bridge.PeerOptions;
import roll.bridge.PeerPlace;
import roll.bridge.PeerSpec;
import roll.bridge.PythonScript;

/** What {@code env_config} may contain, and which peers it asks for. */
final class RemoteOptions {
  private static final Gson JSON = new GsonBuilder().serializeNulls().create();

  private static final PythonScript SCRIPT = PythonScript.of(RemoteOptions.class, "gym.py");

  private static final Option<String> GYM =
      Option.text(
          "gym",
          "an environment with Gymnasium's methods: module:Class, gem/ID, or an id of Gymnasium");

  private static final Option<RawOptions> OPTIONS =
      Option.nested("options", "what the environment itself is told, with each reset");

  private static final List<Option<?>> PLACES = List.of(GYM, PeerOptions.COMMAND, PeerOptions.URL);

  private static final List<Option<?>> OWN =
      List.of(
          GYM,
          PythonScript.PYTHON,
          PeerOptions.COMMAND,
          PeerOptions.URL,
          PeerOptions.HEADERS,
          OPTIONS);

  /** All of them. */
  static final List<Option<?>> ALL =
      Stream.concat(OWN.stream(), PeerOptions.PROGRAM.stream()).toList();

  private RemoteOptions() {}

  /** What the environment itself is told. */
  static JsonObject told(Options options) {
    Map<String, ?> told = options.has(OPTIONS) ? options.get(OPTIONS).values() : Map.of();
    return JSON.toJsonTree(told).getAsJsonObject();
  }

  /**
   * The peers that play.
   *
   * @throws UserException if the options name none, or two
   */
  static PeerSpec peers(Options options) {
    if (PLACES.stream().filter(options::has).count() != 1) {
      throw new UserException(
          options.where() + ": one of gym, command and url says which environment is played");
    }
    return PeerOptions.spec(options, place(options), BridgedRequests.describe(told(options)));
  }

  private static PeerPlace place(Options options) {
    if (options.has(PeerOptions.URL)) {
      return PeerOptions.address(options);
    }
    if (options.has(PeerOptions.COMMAND)) {
      return PeerOptions.program(options);
    }
    String world = options.get(GYM);
    List<String> command = SCRIPT.command(options.get(PythonScript.PYTHON), world);
    return PeerOptions.program(options, "the environment " + world, command);
  }
}
