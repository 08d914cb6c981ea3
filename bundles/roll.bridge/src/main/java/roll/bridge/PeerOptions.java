package roll.bridge;

import com.google.gson.JsonObject;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.RawOptions;

/** Options of plugins that use a program or a server. */
public final class PeerOptions {
  /** Option: the program to start. */
  public static final Option<List<String>> COMMAND =
      Option.texts(
          "command", "program with its arguments, which receives requests on its standard input");

  /** Option: working directory of the program. */
  public static final Option<String> FOLDER =
      Option.text("folder", "working directory and module path; by default roll's");

  /** Option: environment variables of the program. */
  public static final Option<Map<String, String>> ENV =
      Option.mapping("env", "environment variables beside PATH, HOME and others")
          .withDefault(Map.of());

  /** Option: address of the server. */
  public static final Option<String> URL =
      Option.text("url", "address of a server: http, https, ws or wss");

  /** Headers of every request to the server. */
  public static final Option<Map<String, String>> HEADERS =
      Option.mapping("headers", "headers of every request to it").withDefault(Map.of());

  /** Option: number of processes or connections. */
  public static final Option<Integer> PROCESSES =
      Option.integer("processes", 1, 256, "number of processes or connections").withDefault(1);

  private static final Option<Double> START_TIMEOUT =
      Option.number("start_timeout", 0.1, 86400, "seconds for the first answer").withDefault(60.0);
  private static final Option<Double> TIMEOUT =
      Option.number("timeout", 0.1, 86400, "seconds without any answer after which it is ended")
          .withDefault(30.0);
  private static final Option<Integer> RESTARTS =
      Option.integer(
              "restarts", 0, 1000, "maximum number of consecutive restarts without finished work")
          .withDefault(3);
  private static final Option<RawOptions> LIMITS =
      Option.nested(
          "limits", "resource limits of the program: memory_gb, cpu_seconds, open_files, file_gb");

  /** All options of plugins that start a program. */
  public static final List<Option<?>> PROGRAM =
      List.of(FOLDER, ENV, PROCESSES, START_TIMEOUT, TIMEOUT, RESTARTS, LIMITS);

  private PeerOptions() {}

  /**
   * Returns the program with the command line {@code command}.
   *
   * @param shown name for messages
   * @throws roll.api.option.UserException if its folder does not exist, or options of a server are
   *     given
   */
  public static ProgramCommand program(Options options, String shown, List<String> command) {
    if (options.declares(HEADERS) && !options.get(HEADERS).isEmpty()) {
      throw options.wrong(HEADERS, "nothing beside a program, which is asked over its input");
    }
    return new ProgramCommand(
        shown,
        command,
        folder(options),
        options.get(ENV),
        options.has(LIMITS)
            ? ProgramLimits.of(options.get(LIMITS).checked(ProgramLimits.OPTIONS))
            : ProgramLimits.NONE);
  }

  private static @Nullable Path folder(Options options) {
    Optional<Path> folder = options.find(FOLDER).map(Path::of);
    if (folder.isPresent() && !Files.isDirectory(folder.get())) {
      throw options.wrong(FOLDER, "a folder");
    }
    return folder.orElse(null);
  }

  /**
   * Returns the program of the option {@link #COMMAND}.
   *
   * @throws roll.api.option.UserException if it is empty, or one text of several words
   */
  public static ProgramCommand program(Options options) {
    List<String> command = options.get(COMMAND);
    if (String.join("", command).isBlank()
        || (command.size() == 1 && command.getFirst().contains(" "))) {
      throw options.wrong(COMMAND, "a list of words, such as [python3, my_env.py]");
    }
    return program(
        options, String.join(" ", command.subList(0, Math.min(2, command.size()))), command);
  }

  /**
   * Returns the server of the option {@link #URL}.
   *
   * @throws roll.api.option.UserException if the address is invalid, or options of a program are
   *     given
   */
  public static ServerEndpoint address(Options options) {
    for (Option<?> ofProgram : List.of(FOLDER, ENV, LIMITS)) {
      if (options.has(ofProgram) && !Map.of().equals(options.get(ofProgram))) {
        throw options.wrong(ofProgram, "nothing beside url, where no program is started");
      }
    }
    try {
      URI url = URI.create(options.get(URL));
      if (url.getHost() != null && String.valueOf(url.getScheme()).matches("(?i)(http|ws)s?")) {
        return new ServerEndpoint(url, options.get(HEADERS));
      }
    } catch (IllegalArgumentException e) {
      // said below
    }
    throw options.wrong(URL, "an address such as http://localhost:8000/env or ws://localhost:8000");
  }

  /** Returns peers at {@code place} with {@code options}, which answer {@code hello} first. */
  public static PeerSpec spec(Options options, PeerEndpoint place, JsonObject hello) {
    return new PeerSpec(
        place,
        hello,
        options.get(PROCESSES),
        startTimeout(options),
        timeout(options),
        options.get(RESTARTS));
  }

  /** Timeout of the first answer. */
  public static Duration startTimeout(Options options) {
    return seconds(options.get(START_TIMEOUT));
  }

  /** Returns the timeout of answers other than the first. */
  public static Duration timeout(Options options) {
    return seconds(options.get(TIMEOUT));
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis((long) (1e3 * seconds));
  }
}
