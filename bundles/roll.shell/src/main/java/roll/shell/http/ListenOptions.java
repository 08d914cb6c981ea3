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

/** The options of commands that listen: address, host names and certificate. */
public final class ListenOptions {
  /** Option: host names of this machine. */
  public static final Option NAMES =
      Option.optional(
          "--allowed-hosts",
          "names",
          "host names that requests may use besides localhost and the address, separated by"
              + " commas; * for any");

  /** Option of listening commands: the TLS certificate. */
  public static final Option CERTIFICATE =
      Option.optional("--tls-cert", "file", "enables TLS: certificate chain, PEM");

  /** The private key of the certificate. */
  public static final Option KEY =
      Option.optional(
          "--tls-key", "file", "private key of the certificate, PEM without a password");

  /** Name of the option that {@link #port} reads. */
  public static final String PORT = "--port";

  private static final String HOST = "--host";
  private static final int LAST_PORT = 65_535;

  private ListenOptions() {}

  /**
   * Returns the option {@code --host}, read by {@link #host}.
   *
   * @param needs requirement of addresses other than loopback
   */
  public static Option host(String needs) {
    return Option.one(
        HOST, "address", "127.0.0.1", "an address other than loopback needs " + needs);
  }

  /** Returns the option {@code --port}, read by {@link #port}. */
  public static Option port(String defaultPort) {
    return Option.one(PORT, "number", defaultPort, "0 picks a free port");
  }

  /**
   * Returns the address to listen on.
   *
   * @throws roll.api.option.UserException if it cannot be resolved
   */
  public static InetAddress host(Arguments given) {
    try {
      return InetAddress.getByName(given.text(HOST));
    } catch (UnknownHostException e) {
      throw given.syntax().wrong(HOST + ": unknown host '" + given.text(HOST) + "'");
    }
  }

  /**
   * Returns the port to listen on; 0 for any free port.
   *
   * @throws roll.api.option.UserException if it is no port number
   */
  public static int port(Arguments given) {
    return (int) given.integer(PORT, 0, LAST_PORT);
  }

  /** Returns the host names that requests may use. */
  public static List<String> names(Arguments given) {
    return list(given.optional(NAMES.name()));
  }

  /** Returns the comma-separated parts of {@code text}; empty for null. */
  public static List<String> list(@Nullable String text) {
    return text == null ? List.of() : List.of(text.strip().split("\\s*,\\s*", -1));
  }

  /**
   * Returns the certificate, or null for none.
   *
   * @throws roll.api.option.UserException if only one of the two files is given
   */
  public static ListenSettings.@Nullable Certificate certificate(
      CommandSession session, Arguments given) {
    String chain = given.optional(CERTIFICATE.name());
    String key = given.optional(KEY.name());
    if ((chain == null) != (key == null)) {
      throw given
          .syntax()
          .wrong(CERTIFICATE.name() + " and " + KEY.name() + " must be given together");
    }
    return chain == null || key == null
        ? null
        : new ListenSettings.Certificate(UserPath.of(session, chain), UserPath.of(session, key));
  }
}
