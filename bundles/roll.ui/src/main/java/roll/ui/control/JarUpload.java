package roll.ui.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import roll.api.option.UserException;
import roll.runtime.deploy.Deployer;

/** Deploys an uploaded jar. */
final class JarUpload {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._+-]{0,99}\\.jar");

  private JarUpload() {}

  /**
   * The result of deploying an uploaded jar.
   *
   * @param line names the deployed plugins
   * @param notices reasons of a long wait
   */
  record Deployed(String line, List<String> notices) {}

  /**
   * Deploys {@code jar} from a file of that name in a temporary folder.
   *
   * @param name of the file, for messages; the deployed one is named by the bundle
   * @throws UserException if the name is invalid, or the jar is refused
   * @throws IOException if it cannot be written
   */
  static Deployed deploy(Deployer deployer, String name, byte[] jar)
      throws IOException, InterruptedException {
    if (!NAME.matcher(name).matches() || name.contains("..")) {
      throw new UserException(
          "deploy: name must be that of a jar: letters, digits, '.', '_', '+' and '-', at most 104"
              + " characters, ending in .jar");
    }
    if (jar.length == 0) {
      throw new UserException("deploy: " + name + " is empty");
    }
    List<String> notices = new ArrayList<>();
    Path folder = Files.createTempDirectory("roll-page"); // readable by this user alone
    Path file = folder.resolve(name);
    try {
      Files.write(file, jar);
      return new Deployed("deployed " + deployer.deploy(file, notices::add), notices);
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }
}
