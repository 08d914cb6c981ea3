package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/**
 * The image that {@code ./dev image} makes of the distribution, and what the manifests say of it.
 */
@Tag("processes")
class OciImageTest {
  private static final Path ROOT = Path.of(System.getProperty("roll.root"));

  @TempDir static Path folder;

  @BeforeAll
  static void image() throws Exception {
    Path tar = folder.resolve("roll.tar");
    run(ROOT, List.of("./dev", "image", tar.toString()));
    run(Files.createDirectory(folder.resolve("image")), List.of("tar", "xf", tar.toString()));
  }

  private static Map<?, ?> json(Path file) throws IOException {
    return new Yaml().load(Files.readString(folder.resolve("image").resolve(file)));
  }

  private static Path blob(Object of) {
    String digest = (String) KubernetesManifest.at(of, "digest");
    return Path.of("blobs", digest.split(":"));
  }

  private static Object index() throws IOException {
    return KubernetesManifest.at(json(Path.of("index.json")), "manifests.0");
  }

  private static Map<?, ?> manifest() throws IOException {
    return json(blob(index()));
  }

  @Test
  void theManifestsNameTheImageAndItsUser() throws Exception {
    Map<?, ?> annotations = (Map<?, ?>) KubernetesManifest.at(index(), "annotations");
    Object image = annotations.get("org.opencontainers.image.ref.name");
    Object config =
        KubernetesManifest.at(json(blob(KubernetesManifest.at(manifest(), "config"))), "config");
    assertEquals(List.of("/opt/roll/roll"), KubernetesManifest.at(config, "Entrypoint"));
    assertEquals(Map.of("/data", Map.of()), KubernetesManifest.at(config, "Volumes"));
    for (String name : List.of("roll.yaml:roll-first", "roll.yaml:roll-worker", "job.yaml:roll")) {
      String[] words = name.split(":", -1);
      Path file = ROOT.resolve("launch/kubernetes").resolve(words[0]);
      Object pod = KubernetesManifest.read(file).pod(words[1]);
      Object security = KubernetesManifest.at(pod, "securityContext");
      assertEquals(true, KubernetesManifest.at(security, "runAsNonRoot"), name);
      assertEquals(
          KubernetesManifest.at(config, "User"),
          KubernetesManifest.at(security, "runAsUser")
              + ":"
              + KubernetesManifest.at(security, "runAsGroup"),
          name);
      Object container = KubernetesManifest.at(pod, "containers.0");
      assertEquals(image, KubernetesManifest.at(container, "image"), name);
      assertEquals(
          true, KubernetesManifest.at(container, "securityContext.readOnlyRootFilesystem"), name);
      assertTrue(
          KubernetesManifest.each(KubernetesManifest.at(container, "volumeMounts"), "mountPath")
              .contains("/data"),
          name);
    }
  }

  /** No other file of this machine is needed, and only {@code /data} is written. */
  @Test
  void itStartsOnAReadOnlyRoot() throws Exception {
    Path root = Files.createDirectories(folder.resolve("root/proc")).getParent();
    Files.createDirectory(root.resolve("dev"));
    for (Object layer : (List<?>) KubernetesManifest.at(manifest(), "layers")) {
      Path file = folder.resolve("image").resolve(blob(layer));
      run(root, List.of("tar", "xzf", file.toString(), "--warning=no-unknown-keyword"));
    }
    String script =
        """
        mount --bind "$PWD" "$PWD"
        cd "$PWD"
        mount --rbind /proc proc
        mount --rbind /dev dev
        mount -t tmpfs tmpfs data
        mount -o remount,ro,bind "$PWD"
        exec env -i JAVA_HOME=/opt/jdk PATH=/opt/jdk/bin:/bin HOME=/data ROLL_STATE=/data/.roll \\
          $(command -v chroot) . /opt/roll/roll version
        """;
    String said = run(root, List.of("unshare", "--map-root-user", "--mount", "sh", "-euc", script));
    assertTrue(said.startsWith("roll "), said);
  }

  private static String run(Path where, List<String> command) throws Exception {
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(command)
            .directory(where.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertTrue(process.waitFor(5, TimeUnit.MINUTES));
    String text = Files.readString(log);
    assertEquals(0, process.exitValue(), text);
    return text;
  }
}
