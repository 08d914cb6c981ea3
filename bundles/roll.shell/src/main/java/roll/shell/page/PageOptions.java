package roll.shell.page;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import roll.runtime.page.PageSettings;
import roll.runtime.serving.ClientLimits;
import roll.runtime.serving.ListenSettings;
import roll.shell.command.Arguments;
import roll.shell.command.Syntax.Option;
import roll.shell.http.ListenOptions;
import roll.shell.http.SecretOption;
import roll.shell.syntax.UserPath;

/** Where a live page is, for whom, and what it shows and allows. */
public final class PageOptions {
  private static final SecretOption TOKEN =
      new SecretOption(
          "--token",
          "ROLL_UI_TOKEN",
          "whoever asks must have it; beyond loopback one is made by default");
  private static final String READ_ONLY = "--read-only";
  private static final String DEPLOY = "--allow-deploy";
  private static final String RUNS = "--runs";
  private static final String SHOWN = "output";
  private static final int PORT = 7070;
  private static final int REQUESTS = 256;

  /** Those of {@code ui}. */
  public static final List<Option> ALL =
      Stream.of(
              List.of(
                  Option.any(
                      RUNS, "folder", "looks for runs in this folder (default ./" + SHOWN + ")"),
                  ListenOptions.host("--tls-cert and --tls-key, and has a token"),
                  Option.optional(
                      ListenOptions.PORT,
                      "number",
                      "where to listen (default "
                          + PORT
                          + ", or any that is free); 0 picks a free port")),
              TOKEN.options(),
              List.of(
                  ListenOptions.NAMES,
                  ListenOptions.CERTIFICATE,
                  ListenOptions.KEY,
                  Option.flag(READ_ONLY, "shows everything and takes no orders"),
                  Option.flag(DEPLOY, "takes jars and makes plugins of them, as `deploy` does")))
          .flatMap(List::stream)
          .toList();

  private PageOptions() {}

  /** Whether any free port will do where the usual one is taken. */
  public static boolean elsewhere(Arguments given) {
    return !given.flag(ListenOptions.PORT);
  }

  /**
   * What {@code given} orders.
   *
   * @throws roll.api.option.UserException if an option is wrong
   */
  public static PageSettings order(CommandSession session, Arguments given) {
    InetAddress host = ListenOptions.host(given);
    ListenSettings.@Nullable Certificate certificate = ListenOptions.certificate(session, given);
    String token = TOKEN.read(session, given);
    ListenSettings place =
        new ListenSettings(
            host,
            given.flag(ListenOptions.PORT) ? ListenOptions.port(given) : PORT,
            // without a certificate the place is refused, and a token would hide that
            token != null || host.isLoopbackAddress() || certificate == null
                ? token
                : PageSettings.random(),
            ListenOptions.names(given),
            certificate,
            ClientLimits.of(REQUESTS));
    return new PageSettings(
        place, folders(session, given), given.flag(READ_ONLY), given.flag(DEPLOY));
  }

  private static List<Path> folders(CommandSession session, Arguments given) {
    List<Path> folders = new ArrayList<>();
    Stream<String> names =
        given.flag(RUNS)
            ? given.texts(RUNS).stream().flatMap(text -> ListenOptions.list(text).stream())
            : Stream.of(SHOWN);
    names.forEach(name -> folders.add(UserPath.of(session, name).toAbsolutePath()));
    return folders;
  }

  /**
   * A page on loopback that takes orders, for the time of a run; with the token of the environment
   * where there is one.
   *
   * @param port to listen at; null for the usual one
   * @param folder with the run's own and others
   */
  static PageSettings beside(@Nullable Integer port, Path folder) {
    ListenSettings place =
        new ListenSettings(
            InetAddress.getLoopbackAddress(),
            port == null ? PORT : port,
            TOKEN.ofEnvironment(),
            REQUESTS);
    return new PageSettings(place, List.of(folder), false, false);
  }
}
