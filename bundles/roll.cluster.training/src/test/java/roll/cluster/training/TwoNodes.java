package roll.cluster.training;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.osgi.framework.launch.Framework;
import roll.api.config.WorkerConfig;
import roll.api.strategy.SessionConfig;
import roll.cluster.ClusterNode;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.pekko.PekkoEngine;
import roll.collectives.gloo.GlooCollectives;
import roll.huggingface.HuggingFaceTokenizers;
import roll.image.FolderImageProcessors;
import roll.model.qwen2.Qwen2Family;
import roll.model.qwen2_5_vl.Qwen25VlFamily;
import roll.parallel.ShardedModels;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.ThreadCollectives;
import roll.testkit.RankFixtures;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.model.Models;

/**
 * Two nodes of a run in this process, connected by messages and sockets only, and the same run as
 * one process.
 */
final class TwoNodes implements AutoCloseable {
  static final RankFixtures RUNS = RankFixtures.frozenLake("zero3");

  private final Framework framework;
  private final Devices here = Devices.on(Device.cpu(1));
  private final Devices there = Devices.on(Device.cpu(1));
  final Membership first;
  final Membership second;
  private final ClusterRanks ranks;
  private final RankServer server;
  private final Models models = new Models(here, new HuggingFaceTokenizers(here));
  final ShardedModels spread;
  final ShardedModels together;

  TwoNodes(Path folder) throws Exception {
    framework =
        new org.apache.felix.framework.FrameworkFactory()
            .newFramework(Map.of("org.osgi.framework.storage", folder.resolve("osgi").toString()));
    framework.start();
    first = new PekkoEngine().open(place("first", 0));
    second = new PekkoEngine().open(place("second", first.self().port()));
    await().until(() -> first.members().size() == 2);
    Collectives gloo = new GlooCollectives(framework.getBundleContext(), here);
    ranks = new ClusterRanks(first, Map.of(), here);
    server = new RankServer(second, there, models, gloo);
    models.add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
    models.add(new Qwen25VlFamily(), Map.of("roll.model", new String[] {"qwen2_5_vl"}));
    models.setImageProcessors(new FolderImageProcessors());
    spread = spread(gloo);
    together = new ShardedModels(models, new ThreadCollectives());
  }

  /** Returns models on both nodes whose ranks on the first one use {@code collectives}. */
  ShardedModels spread(Collectives collectives) {
    ShardedModels spread = new ShardedModels(models, collectives);
    spread.setPlacement(ranks);
    return spread;
  }

  private static MembershipConfig place(String name, int first) {
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    return new MembershipConfig(
        "test",
        new ClusterNode(name, "0.2.0", 1, List.of("cpu:0"), List.of()),
        new InetSocketAddress(loopback, 0),
        first == 0 ? List.of() : List.of(new InetSocketAddress(loopback, first)),
        null,
        0,
        Duration.ofSeconds(30));
  }

  /** Returns a session of {@code devices} ranks, half of them on each node. */
  static SessionConfig config(int devices, Map<String, Object> options) {
    return config(RUNS.worker(devices, options), devices);
  }

  /** Returns a session of {@code worker} on {@code devices} devices. */
  static SessionConfig config(WorkerConfig worker, int devices) {
    return new SessionConfig(
        worker, RankFixtures.SEED, 1.0, RankFixtures.LENGTH, true, devices, 0, 2);
  }

  @Override
  public void close() throws IOException {
    try {
      server.deactivate();
      ranks.deactivate();
      second.close();
      first.close();
      here.close();
      there.close();
      framework.stop();
      framework.waitForStop(10_000);
    } catch (org.osgi.framework.BundleException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
