package aQute.launcher;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Stands where bnd's launcher does in an executable jar, and says what that would start with: where
 * its bundles are, what they hold, and where the framework may write.
 */
public final class Launcher {
  private Launcher() {}

  /** Returns the number that the first argument is; {@code wait} waits to be killed. */
  public static int run(String[] arguments) throws IOException, InterruptedException {
    for (String bundle : new String[] {"jar/plain.jar", "jar/nested.jar"}) {
      URL place = Launcher.class.getClassLoader().getResource(bundle);
      System.out.println(bundle + " " + place);
    }
    Path storage = Path.of(System.getProperty("launch.storage.dir"));
    Files.createDirectories(storage.resolve("bundle0"));
    System.out.println("storage " + storage);
    System.out.println("temporary " + Files.createTempFile("left", ".behind"));
    if (arguments[0].equals("wait")) {
      Thread.sleep(Long.MAX_VALUE);
    }
    return Integer.parseInt(arguments[0]);
  }
}
