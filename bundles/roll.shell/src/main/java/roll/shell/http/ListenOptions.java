package roll.shell.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import roll.runtime.serving.ListenSettings;
import roll.shell.command.Arguments;
import roll.shell.command.Syntax.Option;
import roll.shell.syntax.UserPath;

/** Where a command listens, by which names and with which certificate. */
public final class ListenOptions {
  /** Names of this machine. */
  public static final Option NAMES =
      Option.optional(
          "--allowed-hosts",
          "names",
          "names of this machine that requests may use besides localhost and the address;"
              + " separated by commas, * for any");

  /** The certificate. */
  public static final Option CERTIFICATE =
      Option.optional("--tls-cert", "file", "enables TLS: the certificate and its chain, PEM");

  /** Its key. */
  public static final Option KEY =
      Option.optional("--tls-key", "file", "its private key, PEM without a password");

  /** The option that {@link #port} reads. */
  public static final String PORT = "--port";

  private static final String HOST = "--host";
  private static final int LAST_PORT = 65_535;

  private ListenOptions() {}

  /**
   * The option {@code --host}, which {@link #host} reads.
   *
   * @param needs what an address other than loopback needs
   */
  public static Option host(String needs) {
    return Option.one(
        HOST, "address", "127.0.0.1", "an address other than loopback needs " + needs);
  }

  /** The option {@code --port}, which {@link #port} reads. */
  public static Option port(String standard) {
    return Option.one(PORT, "number", standard, "0 picks a free port");
  }

  /**
   * The address to listen at.
   *
   * @throws roll.api.option.UserException if there is none of this name
   */
  public static InetAddress host(Arguments given) {
    try {
      return InetAddress.getByName(given.text(HOST));
    } catch (UnknownHostException e) {
      throw given.syntax().wrong(HOST + ": there is no '" + given.text(HOST) + "'");
    }
  }

  /**
   * The port to listen at; 0 for any that is free.
   *
   * @throws roll.api.option.UserException if it is none
   */
  public static int port(Arguments given) {
    return (int) given.integer(PORT, 0, LAST_PORT);
  }

  /** Names that requests may use. */
  public static List<String> names(Arguments given) {
    return list(given.optional(NAMES.name()));
  }

  /** What is separated by commas in {@code text}; nothing in null. */
  public static List<String> list(@Nullable String text) {
    return text == null ? List.of() : List.of(text.strip().split("\\s*,\\s*", -1));
  }

  /**
   * The certificate; null for none.
   *
   * @throws roll.api.option.UserException if only one of its two files is given
   */
  public static ListenSettings.@Nullable Certificate certificate(
      CommandSession session, Arguments given) {
    String chain = given.optional(CERTIFICATE.name());
    String key = given.optional(KEY.name());
    if ((chain == null) != (key == null)) {
      throw given.syntax().wrong(CERTIFICATE.name() + " and " + KEY.name() + " go together");
    }
    return chain == null || key == null
        ? null
        : new ListenSettings.Certificate(UserPath.of(session, chain), UserPath.of(session, key));
  }
}
