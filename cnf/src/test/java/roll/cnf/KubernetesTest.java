package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The manifest matches roll's options, and its containers' commands work as local processes; no
 * cluster is needed.
 */
@Tag("processes")
@Timeout(300)
class KubernetesTest {
  private static final Path ROOT = Path.of(System.getProperty("roll.root"));
  private static final Path FOLDER = ROOT.resolve("launch/kubernetes");
  private static final String ROLL = ROOT.resolve("launch/target/dist/roll").toString();
  private static final String FIRST = "roll-first";
  private static final String WORKER = "roll-worker";
  private static final List<String> SMALL =
      List.of(
          "max_steps=1",
          "eval_steps=0",
          "val_before_train=false",
          "rollout_batch_size=16",
          "train_env_manager.num_env_groups=2",
          "actor_train.training_args.per_device_train_batch_size=4");

  @TempDir Path folder;

  private static KubernetesManifest manifest() throws IOException {
    return KubernetesManifest.read(FOLDER.resolve("roll.yaml"));
  }

  @Test
  void namesLeadToWhatTheyName() throws Exception {
    KubernetesManifest manifest = manifest();
    Map<?, ?> service = manifest.object("Service", "roll");
    assertEquals("None", KubernetesManifest.at(service, "spec.clusterIP"));
    assertEquals(
        KubernetesManifest.at(service, "spec.selector"),
        KubernetesManifest.at(manifest.object("Job", FIRST), "spec.template.metadata.labels"));
    Object first = KubernetesManifest.at(manifest.pod(FIRST), "containers.0");
    Object ports = KubernetesManifest.at(service, "spec.ports");
    assertEquals(
        KubernetesManifest.each(ports, "port"),
        KubernetesManifest.each(KubernetesManifest.at(first, "ports"), "containerPort"));
    assertEquals(List.of(7800, 7801), KubernetesManifest.each(ports, "port"));
    assertTrue(manifest.arguments(FIRST).contains("$(POD_IP):7800"));
    assertEquals(List.of("join", "roll:7800"), manifest.arguments(WORKER).subList(0, 2));
    for (String job : List.of(FIRST, WORKER)) {
      Object pod = manifest.pod(job);
      assertEquals("OnFailure", KubernetesManifest.at(pod, "restartPolicy"));
      Object env = KubernetesManifest.at(pod, "containers.0.env");
      List<Object> names = KubernetesManifest.each(env, "name");
      for (String word : manifest.arguments(job)) {
        String variable = word.replaceAll(".*\\$\\((\\w+)\\).*", "$1");
        assertTrue(variable.equals(word) || names.contains(variable), word);
      }
      Object token = ((List<?>) env).get(names.indexOf("ROLL_TOKEN"));
      assertEquals(
          Map.of("name", "roll-token", "key", "token"),
          KubernetesManifest.at(token, "valueFrom.secretKeyRef"));
    }
    List<Object> volumes =
        KubernetesManifest.each(KubernetesManifest.at(manifest.pod(FIRST), "volumes"), "name");
    for (String mounts : List.of("containers.0.volumeMounts", "initContainers.0.volumeMounts")) {
      Object mounted = KubernetesManifest.at(manifest.pod(FIRST), mounts);
      assertTrue(volumes.containsAll(KubernetesManifest.each(mounted, "name")), mounts);
    }
    Object claim = KubernetesManifest.at(manifest.pod(FIRST), "volumes.2.persistentVolumeClaim");
    manifest.object("PersistentVolumeClaim", (String) KubernetesManifest.at(claim, "claimName"));
  }

  @Test
  void theJobOfOneNodeTrains() throws Exception {
    KubernetesManifest job = KubernetesManifest.read(FOLDER.resolve("job.yaml"));
    job.object("PersistentVolumeClaim", "roll-data");
    List<String> command = command(job.arguments("roll"), 0, folder.resolve("data"));
    command.addAll(SMALL);
    command.add("save_steps=1");
    assertTrue(run(command).contains("finished 1 step"), () -> said("run"));
    assertTrue(Files.isDirectory(folder.resolve("data/output/run/checkpoint-1")));
    run(command); // a pod that is started again after the last step ends well
  }

  @Test
  void theCommandsTrainTogether() throws Exception {
    KubernetesManifest manifest = manifest();
    Path secret = folder.resolve("secret");
    String token = run(List.of(ROLL, "token", secret.toString())).strip();
    int port = ports();
    Path data = folder.resolve("data");
    String script =
        (String) KubernetesManifest.at(manifest.pod(FIRST), "initContainers.0.command.2");
    run(
        List.of(
            "sh",
            "-euc",
            script
                .replace("/secret/", secret.resolve("cluster") + "/")
                .replace("/data/", data + "/")));
    List<String> first = command(manifest.arguments(FIRST), port, data);
    first.addAll(List.of("num_nodes=2", "num_gpus_per_node=1", "save_steps=0"));
    first.addAll(SMALL);
    List<String> worker = command(manifest.arguments(WORKER), port, data);
    Process one = start(first, token, "first");
    try {
      await("first", "to join from another machine");
      Process other = start(worker, token, "worker");
      try {
        assertTrue(one.waitFor(120, TimeUnit.SECONDS), () -> said("first"));
        assertTrue(other.waitFor(30, TimeUnit.SECONDS), () -> said("worker"));
        assertEquals(0, one.exitValue(), () -> said("first"));
        assertEquals(0, other.exitValue(), () -> said("worker"));
        assertTrue(said("first").contains("finished 1 step"), () -> said("first"));
        assertTrue(said("worker").contains("is over"), () -> said("worker"));
      } finally {
        other.destroyForcibly();
      }
    } finally {
      one.destroyForcibly();
    }
  }

  /** Returns a container's command with addresses and folders of this machine. */
  private static List<String> command(List<String> arguments, int port, Path data) {
    List<String> command = new ArrayList<>(List.of(ROLL));
    for (String word : arguments) {
      command.add(
          word.replace("$(POD_IP):7802", "127.0.0.1")
              .replace("$(POD_IP):7800", "127.0.0.1:" + port)
              .replace("roll:7800", "127.0.0.1:" + port)
              .replace("$(POD_NAME)", "roll-worker-1")
              .replace("/config/run.yaml", ROOT.resolve("configs/frozen_lake.yaml").toString())
              .replaceFirst("=/data/", "=" + data + "/"));
    }
    return command;
  }

  /** Returns a free port whose successor is free too. */
  private static int ports() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    for (int attempt = 0; attempt < 100; attempt++) {
      try (ServerSocket one = new ServerSocket(0, 1, loopback);
          ServerSocket next = new ServerSocket(one.getLocalPort() + 1, 1, loopback)) {
        return next.getLocalPort() - 1;
      } catch (IOException | IllegalArgumentException e) {
        // the next one is in use
      }
    }
    throw new IOException("no two free ports");
  }

  private Process start(List<String> command, String token, String name) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("ROLL_TOKEN", token);
    return builder.redirectOutput(folder.resolve(name + ".txt").toFile()).start();
  }

  private void await(String name, String text) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertTrue(said(name).contains(text), () -> said(name)));
  }

  private String said(String name) {
    try {
      return Files.readString(folder.resolve(name + ".txt"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private String run(List<String> command) throws Exception {
    Path output = folder.resolve("run.txt");
    Process process = new ProcessBuilder(command).redirectOutput(output.toFile()).start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    String text = Files.readString(output);
    assertEquals(0, process.exitValue(), text);
    return text;
  }
}
