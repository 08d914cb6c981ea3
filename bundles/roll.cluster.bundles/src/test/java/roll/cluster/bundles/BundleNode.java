package roll.cluster.bundles;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.awaitility.Awaitility;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.launch.Framework;
import roll.cluster.ClusterNode;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.pekko.PekkoEngine;

/** A framework with a node of a cluster in it, in the clear on loopback. */
final class BundleNode implements AutoCloseable {
  final Framework framework;
  final Membership membership;
  final InstallingDeployer deployer;
  final List<String> lines = Collections.synchronizedList(new ArrayList<>());

  /**
   * A node.
   *
   * @param first port of the first node; 0 to be it
   */
  BundleNode(Path folder, String name, int first) throws Exception {
    framework =
        new org.apache.felix.framework.FrameworkFactory()
            .newFramework(Map.of("org.osgi.framework.storage", folder.resolve(name).toString()));
    framework.start();
    deployer = new InstallingDeployer(context());
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    membership =
        new PekkoEngine()
            .open(
                new MembershipConfig(
                    "test",
                    new ClusterNode(name, "0.2.0", 1, List.of(), List.of("environment")),
                    new InetSocketAddress(loopback, 0),
                    first == 0 ? List.of() : List.of(new InetSocketAddress(loopback, first)),
                    null,
                    0,
                    Duration.ofSeconds(30)));
  }

  BundleContext context() {
    return framework.getBundleContext();
  }

  BundleServer serve() {
    return new BundleServer(context(), membership, deployer);
  }

  BundleFollower follow(Path cache) {
    return new BundleFollower(context(), membership, deployer, lines::add, cache);
  }

  /** Names, versions and contents of the bundles beside the framework that are active. */
  List<String> active() {
    return Arrays.stream(context().getBundles())
        .filter(bundle -> bundle.getBundleId() != 0 && bundle.getState() == Bundle.ACTIVE)
        .map(BundleNode::content)
        .sorted()
        .toList();
  }

  private static String content(Bundle bundle) {
    try (var in = bundle.getEntry("content").openStream()) {
      byte[] bytes = in.readAllBytes();
      return bundle.getSymbolicName()
          + " "
          + bundle.getVersion()
          + " "
          + Integer.toHexString(Arrays.hashCode(bytes));
    } catch (IOException | IllegalStateException e) { // it is closed while it is read
      return bundle.getSymbolicName() + " goes";
    }
  }

  /** A bundle with {@code content}. */
  static Path jar(Path file, String name, String version, byte[] content) throws IOException {
    Manifest manifest = new Manifest();
    Attributes headers = manifest.getMainAttributes();
    headers.putValue("Manifest-Version", "1.0");
    headers.putValue("Bundle-ManifestVersion", "2");
    headers.putValue("Bundle-SymbolicName", name);
    headers.putValue("Bundle-Version", version);
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      jar.putNextEntry(new ZipEntry("content"));
      jar.write(content);
    }
    return file;
  }

  /** Waits until {@code holds}. */
  static void await(Callable<Boolean> holds) {
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(holds);
  }

  @Override
  public void close() throws BundleException {
    membership.close();
    framework.stop();
    try {
      framework.waitForStop(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
