package roll.ui.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import roll.api.option.UserException;
import roll.runtime.deploy.Deployer;

/** A jar that came as bytes, deployed as one that lies in a folder is. */
final class JarUpload {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._+-]{0,99}\\.jar");

  private JarUpload() {}

  /**
   * What came of it.
   *
   * @param line what the jar offers now
   * @param notices what a long wait was for
   */
  record Deployed(String line, List<String> notices) {}

  /**
   * Has {@code deployer} deploy {@code jar} from a file of that name in a folder of its own, which
   * is gone afterwards.
   *
   * @param name of the file, for messages; the deployed one is named by the bundle
   * @throws UserException if the name leads elsewhere or is none of a jar, or the jar is refused
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
    Path folder = Files.createTempDirectory("roll-page"); // for this user alone
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
