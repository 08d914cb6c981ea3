package roll.shell.serve;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import roll.runtime.serving.ClientLimits;
import roll.runtime.serving.ListenSettings;
import roll.shell.command.Arguments;
import roll.shell.command.Syntax.Option;
import roll.shell.http.ListenOptions;
import roll.shell.http.SecretOption;
import roll.shell.model.LocalInference;

/** The options of {@code serve} for address, access and limits. */
final class ServeOptions {
  private static final SecretOption KEY =
      new SecretOption("--api-key", "ROLL_API_KEY", "required of every request");
  private static final String OF_CLIENT = "--max-requests-per-client";
  private static final String PICTURE_LIMIT = "--limit-mm-per-prompt";
  private static final String PICTURE_HOSTS = "--allowed-media-domains";
  private static final String OF_IMAGES = "image=";
  private static final int MANY = 100_000;

  /** Default variables of the chat template, under vLLM's name. */
  static final Option TEMPLATE_KWARGS = LocalInference.kwargs("--default-chat-template-kwargs");

  /** Options of {@code serve} for address and access. */
  static final List<Option> PLACE =
      Stream.of(
              List.of(ListenOptions.host("a key"), ListenOptions.port("8000")),
              KEY.options(),
              List.of(ListenOptions.NAMES, ListenOptions.CERTIFICATE, ListenOptions.KEY))
          .flatMap(List::stream)
          .toList();

  /** Options of {@code serve} for limits on clients. */
  static final List<Option> LIMITS =
      List.of(
          Option.one(
              "--max-requests",
              "n",
              "256",
              "maximum concurrent requests; further ones get status 429"),
          Option.optional(
              OF_CLIENT,
              "n",
              "maximum concurrent requests per client address (default: --max-requests)"),
          Option.one(
              "--max-connections",
              "n",
              "1024",
              "maximum open connections; idle ones are closed for new ones"),
          Option.one(
              "--max-connections-per-client",
              "n",
              "512",
              "maximum open connections per client address"),
          Option.one("--request-timeout", "seconds", "30", "maximum time to receive a request"));

  /** Options of {@code serve} for pictures in requests. */
  static final List<Option> PICTURES =
      List.of(
          Option.one(PICTURE_LIMIT, "image=n", "image=16", "maximum pictures per request"),
          Option.optional(
              PICTURE_HOSTS,
              "names",
              "hosts that pictures may be fetched from, separated by commas, * for any (default:"
                  + " data URLs only)"));

  private ServeOptions() {}

  /** Returns the maximum pictures per request. */
  static int maxPictures(Arguments given) {
    String limit = given.text(PICTURE_LIMIT);
    try {
      int most =
          limit.startsWith(OF_IMAGES)
              ? Integer.parseInt(limit, OF_IMAGES.length(), limit.length(), 10)
              : -1;
      if (most >= 0) {
        return most;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw ServeCommand.SYNTAX.wrong(
        PICTURE_LIMIT + ": expected image=n with n of at least 0, found '" + limit + "'");
  }

  /** Returns the hosts that pictures may be fetched from. */
  static List<String> pictureHosts(Arguments given) {
    return ListenOptions.list(given.optional(PICTURE_HOSTS));
  }

  /** Returns address, access and limits of the server. */
  static ListenSettings place(CommandSession session, Arguments given) {
    return new ListenSettings(
        ListenOptions.host(given),
        ListenOptions.port(given),
        KEY.read(session, given),
        ListenOptions.names(given),
        ListenOptions.certificate(session, given),
        limits(given));
  }

  private static ClientLimits limits(Arguments given) {
    int requests = (int) given.integer("--max-requests", 1, MANY);
    return new ClientLimits(
        requests,
        given.flag(OF_CLIENT) ? (int) given.integer(OF_CLIENT, 1, MANY) : requests,
        (int) given.integer("--max-connections", 1, MANY),
        (int) given.integer("--max-connections-per-client", 1, MANY),
        Duration.ofSeconds(given.integer("--request-timeout", 1, 86_400)));
  }

  /** Returns the notice about {@code place}, or null. */
  static @Nullable String notice(ListenSettings place) {
    return place.certificate() != null || place.host().isLoopbackAddress()
        ? null
        : "notice: without "
            + ListenOptions.CERTIFICATE.name()
            + " requests, responses and the key can be read on the network of "
            + place.host().getHostAddress();
  }
}
