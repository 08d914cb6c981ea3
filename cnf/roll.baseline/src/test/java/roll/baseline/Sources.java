package roll.baseline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import aQute.bnd.osgi.Jar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** The bundle roll.x, compiled from sources of its package. */
final class Sources {
  private static final Pattern TYPE = Pattern.compile("(interface|class|record|enum) (\\w+)");

  private Sources() {}

  /** Returns a jar of types, each with annotations by simple name. */
  static Jar compile(Path folder, String bundleVersion, String exports, String... types)
      throws IOException {
    Path sources = Files.createTempDirectory(folder, "sources");
    Path classes = Files.createTempDirectory(folder, "classes");
    List<String> arguments =
        new ArrayList<>(
            List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path")));
    for (String type : types) {
      Matcher name = TYPE.matcher(type);
      name.find();
      Path source = sources.resolve(name.group(2) + ".java");
      Files.writeString(
          source, "package roll.x; import org.osgi.annotation.versioning.*; public " + type);
      arguments.add(source.toString());
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    assertEquals(0, compiler.run(null, null, null, arguments.toArray(new String[0])));
    Jar jar = new Jar(classes.toFile());
    jar.setManifest(manifest(bundleVersion, exports));
    return jar;
  }

  private static Manifest manifest(String bundleVersion, String exports) {
    Manifest manifest = new Manifest();
    Attributes headers = manifest.getMainAttributes();
    headers.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    headers.putValue("Bundle-ManifestVersion", "2");
    headers.putValue("Bundle-SymbolicName", "roll.x");
    headers.putValue("Bundle-Version", bundleVersion);
    headers.putValue("Export-Package", exports);
    return manifest;
  }
}
