package roll.collectives.gloo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.UserException;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.Communicator;
import roll.parallel.collective.GroupAbort;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.RankLocation;
import roll.torch.Devices;

/**
 * Groups of CPU ranks in several processes, with the Gloo of libtorch. Sums are computed in the
 * order of the ranks, so that they are bit-for-bit identical to those of threads.
 *
 * <p>Connections are in clear text, so addresses beyond loopback are refused unless the group is
 * {@link RankGroup#plain} or the framework property {@code roll.collectives.gloo.clear_text} is
 * {@code allowed}.
 */
@Component(
    name = "roll.collectives.gloo",
    service = Collectives.class,
    property = "roll.collectives=gloo")
public final class GlooCollectives implements Collectives {
  /** Framework property that allows clear text beyond this machine. */
  static final String CLEAR_TEXT = "roll.collectives.gloo.clear_text";

  private final Supplier<String> version;
  private final boolean clearText;
  private @Nullable Gloo loaded;

  /** Uses the libtorch of the devices. */
  @Activate
  public GlooCollectives(BundleContext context, @Reference Devices devices) {
    this(
        () -> devices.whole().load().getVersion(),
        "allowed".equals(context.getProperty(CLEAR_TEXT)));
  }

  /** Uses the libtorch that {@code version} loads. */
  GlooCollectives(Supplier<String> version, boolean clearText) {
    this.version = version;
    this.clearText = clearText;
  }

  private synchronized Gloo gloo() {
    Gloo known = loaded == null ? new Gloo(version.get()) : loaded;
    loaded = known;
    return known;
  }

  /** Opens a group whose ranks are threads of this process, connected to each other. */
  @Override
  public List<Communicator> open(int size) {
    return open(
        RankGroup.here("ranks", Collections.nCopies(size, RankLocation.CPU)), LocalProcess.alone());
  }

  @Override
  public List<Communicator> open(RankGroup group, LocalProcess site) {
    for (RankLocation member : group.members()) {
      check(group, member, site);
    }
    Gloo gloo = gloo();
    GroupAbort ending = new GroupAbort();
    return connect(
        group.ranks(site.process()).stream()
            .<Supplier<Communicator>>map(
                rank -> () -> new GlooCommunicator(gloo, group, site, ending, rank))
            .toList());
  }

  private void check(RankGroup group, RankLocation member, LocalProcess site) {
    if (member.onCard()) {
      throw new UserException(
          "%s: Gloo is for ranks on the CPU, not for one on %s".formatted(group.label(), member));
    }
    if (member.address().isEmpty()) {
      return;
    }
    try {
      InetAddress address = InetAddress.getByName(member.address());
      if (!clearText && !group.plain() && !address.isLoopbackAddress()) {
        throw new UserException(
            "%s: %s listens on %s, and Gloo sends clear text: only loopback addresses are"
                    .formatted(group.label(), member, member.address())
                + " allowed, unless strategy_config has plain_collectives: true, or the framework"
                + " property "
                + CLEAR_TEXT
                + " is 'allowed'");
      }
      if (member.process().equals(site.process())) {
        new ServerSocket(0, 1, address).close(); // Gloo's own failure would end the JVM
      }
    } catch (IOException failure) {
      throw new UserException(
          "%s: %s cannot listen on '%s': %s"
              .formatted(group.label(), member, member.address(), failure.getMessage()),
          failure);
    }
  }

  /** Connects all ranks concurrently, since each waits for the others. */
  private static List<Communicator> connect(List<Supplier<Communicator>> ends) {
    List<CompletableFuture<Communicator>> joined = new ArrayList<>();
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(
            Thread.ofPlatform().name("roll-gloo-open").daemon(true).factory())) {
      ends.forEach(end -> joined.add(CompletableFuture.supplyAsync(end, threads)));
    }
    try {
      return joined.stream().map(CompletableFuture::join).toList();
    } catch (CompletionException failure) {
      joined.stream()
          .filter(end -> !end.isCompletedExceptionally())
          .forEach(end -> end.join().close());
      throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
    }
  }
}
