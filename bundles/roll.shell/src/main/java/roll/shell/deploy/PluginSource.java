package roll.shell.deploy;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Properties;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import roll.api.option.UserException;
import roll.shell.command.Arguments;
import roll.shell.command.Syntax.Option;
import roll.shell.syntax.UserPath;

/**
 * The repository that a command takes: as its options say, or as {@code etc/plugins.properties} of
 * the distribution remembers.
 *
 * @param place URI of a folder, an index, or the address of either
 * @param key file of the public key that must have signed it, or null
 */
record PluginSource(URI place, @Nullable Path key) {
  static final String FROM = "--from";

  private static final String KEY = "--key";

  static final List<Option> OPTIONS =
      List.of(
          Option.optional(FROM, "folder or URL", "repository with an index.xml"),
          Option.optional(KEY, "file", "public key that must have signed the index"));

  /**
   * Returns the given or the remembered repository, or null if there is neither.
   *
   * @throws UserException if the address is none, or what is remembered cannot be read
   */
  static @Nullable PluginSource of(CommandSession session, Arguments given, BundleContext context) {
    String from = given.optional(FROM);
    String key = given.optional(KEY);
    if (from == null) {
      Properties remembered = remembered(context);
      from = remembered.getProperty("from");
      key = key == null ? remembered.getProperty("key") : key;
    }
    return from == null
        ? null
        : new PluginSource(place(session, from), key == null ? null : UserPath.of(session, key));
  }

  /** Returns whether {@code text} is an HTTP(S) address. */
  static boolean isAddress(String text) {
    return text.matches("(?i)https?://.*");
  }

  /** Returns the URI of a file, folder or address that a user typed. */
  static URI place(CommandSession session, String text) {
    if (!text.matches("(?i)[a-z][a-z0-9+.-]+://.*")) {
      return UserPath.of(session, text).toAbsolutePath().normalize().toUri();
    }
    try {
      return URI.create(text);
    } catch (IllegalArgumentException e) {
      throw new UserException("'" + text + "' is no address: " + e.getMessage(), e);
    }
  }

  /** Remembers this repository; returns the file. */
  Path remember(BundleContext context) {
    Path file = file(context);
    if (file == null) {
      throw new UserException("search: this process has no distribution whose etc/ can be written");
    }
    Properties properties = new Properties();
    boolean local = "file".equals(place.getScheme());
    properties.setProperty("from", local ? Path.of(place).toString() : place.toString());
    if (key != null) {
      properties.setProperty("key", key.toAbsolutePath().normalize().toString());
    }
    try {
      Files.createDirectories(file.getParent());
      Path beside = file.resolveSibling(file.getFileName() + ".tmp");
      try (Writer out = Files.newBufferedWriter(beside)) {
        properties.store(out, "the repository of `deploy` and `search`");
      }
      return Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be written: " + e, e);
    }
  }

  private static Properties remembered(BundleContext context) {
    Properties properties = new Properties();
    Path file = file(context);
    if (file != null && Files.exists(file)) {
      try (Reader in = Files.newBufferedReader(file)) {
        properties.load(in);
      } catch (IOException | IllegalArgumentException e) {
        throw new UserException(file + ": cannot be read: " + e, e);
      }
    }
    return properties;
  }

  private static @Nullable Path file(BundleContext context) {
    String home = context.getProperty("gosh.home");
    return home == null ? null : Path.of(home, "etc", "plugins.properties");
  }
}
