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
import roll.bridge.PeerEndpoint;
import roll.bridge.PeerOptions;
import roll.bridge.PeerSpec;
import roll.bridge.PythonScript;
import roll.bridge.ServerEndpoint;
import roll.bridge.mcp.McpSession;

/** Options of {@code env_config}, and the endpoints that they specify. */
final class RemoteOptions {
  private static final Gson JSON = new GsonBuilder().serializeNulls().create();

  private static final PythonScript SCRIPT = PythonScript.of(RemoteOptions.class, "gym.py");

  private static final Option<String> GYM =
      Option.text(
          "gym",
          "an environment with Gymnasium's methods: module:Class, gem/ID, or an id of Gymnasium");

  private static final Option<RawOptions> OPTIONS =
      Option.nested("options", "arguments of the environment, sent with each reset");

  /** Options of an OpenEnv server. */
  static final Option<RawOptions> OPENENV =
      Option.nested("openenv", "settings for a server at url that implements OpenEnv");

  /** Options of an MCP server. */
  static final Option<RawOptions> MCP =
      Option.nested("mcp", "settings for a server, command or url, that implements MCP");

  private static final List<Option<?>> PLACES = List.of(GYM, PeerOptions.COMMAND, PeerOptions.URL);

  private static final List<Option<?>> OWN =
      List.of(
          GYM,
          PythonScript.PYTHON,
          PeerOptions.COMMAND,
          PeerOptions.URL,
          PeerOptions.HEADERS,
          OPENENV,
          MCP,
          OPTIONS);

  /** All options of the remote options. */
  static final List<Option<?>> ALL =
      Stream.concat(OWN.stream(), PeerOptions.PROGRAM.stream()).toList();

  private RemoteOptions() {}

  /** Returns the arguments of the environment. */
  static JsonObject told(Options options) {
    return json(options, OPTIONS);
  }

  /** Returns the mapping {@code option} as JSON; empty if it is missing. */
  static JsonObject json(Options options, Option<RawOptions> option) {
    Map<String, ?> written = options.has(option) ? options.get(option).values() : Map.of();
    return JSON.toJsonTree(written).getAsJsonObject();
  }

  /**
   * Returns the OpenEnv server of the options.
   *
   * @throws UserException if the options specify none, or more than that
   */
  static ServerEndpoint openEnv(Options options) {
    checkPlace(options);
    refuse(options, GYM, "absent: openenv is spoken by the server at url");
    refuse(options, PeerOptions.COMMAND, "absent: openenv is spoken by the server at url");
    refuse(options, MCP, "absent: the server speaks openenv");
    checkAlone(options);
    return PeerOptions.address(options);
  }

  /**
   * Returns the MCP server of the options.
   *
   * @throws UserException if the options specify none, or more than that
   */
  static PeerEndpoint mcp(Options options) {
    checkPlace(options);
    refuse(options, GYM, "absent: mcp is spoken by a command, or at a url");
    checkAlone(options);
    if (options.has(PeerOptions.COMMAND)) {
      return PeerOptions.program(options);
    }
    ServerEndpoint place = PeerOptions.address(options);
    if (!String.valueOf(place.url().getScheme()).startsWith("http")) {
      throw options.wrong(PeerOptions.URL, "an address of http or https, as mcp is spoken");
    }
    return McpSession.address(place);
  }

  private static void checkAlone(Options options) {
    if (options.get(PeerOptions.PROCESSES) != 1) {
      throw options.wrong(PeerOptions.PROCESSES, "absent: each episode has one of its own");
    }
  }

  private static void refuse(Options options, Option<?> other, String allowed) {
    if (options.has(other)) {
      throw options.wrong(other, allowed);
    }
  }

  /**
   * Returns the programs or servers of the options.
   *
   * @throws UserException if the options specify none or two
   */
  static PeerSpec peers(Options options) {
    checkPlace(options);
    return PeerOptions.spec(options, place(options), PeerRequests.describe(told(options)));
  }

  private static void checkPlace(Options options) {
    if (PLACES.stream().filter(options::has).count() != 1) {
      throw new UserException(
          options.where() + ": one of gym, command and url says which environment is played");
    }
    String python = options.get(PythonScript.PYTHON);
    if (!options.has(GYM) && !python.equals(PythonScript.PYTHON.defaultValue())) {
      throw options.wrong(
          PythonScript.PYTHON, "nothing without gym: command names its own program");
    }
  }

  private static PeerEndpoint place(Options options) {
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
