package roll.cluster.bundles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.BundleListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.services.FileDigests;
import roll.cluster.services.RemoteCalls;
import roll.runtime.deploy.Deployer;

/** Offers the bundles of the first node to the others, and tells them when these change. */
@Component(
    name = "roll.cluster.bundles.server",
    immediate = true,
    service = {})
public final class BundleServer {
  private final BundleContext context;
  private final Membership membership;
  private final Deployer deployer;
  private final FileDigests digests = new FileDigests();
  private final Map<String, Path> offered = new ConcurrentHashMap<>();
  private final Registration calls;
  private final BundleListener listener = this::changed;

  /** Answers from now on. */
  @Activate
  public BundleServer(
      BundleContext context, @Reference Membership membership, @Reference Deployer deployer) {
    this.context = context;
    this.membership = membership;
    this.deployer = deployer;
    this.calls = BundleSource.CONTRACT.serve(membership, Caller::new);
    context.addBundleListener(listener);
  }

  /** A node that follows this one. */
  private final class Caller implements BundleSource {
    private final Member from;

    Caller(Member from) {
      this.from = from;
    }

    @Override
    public CompletableFuture<List<BundleOffer>> offers(List<String> present) {
      Map<Long, Path> deployed = deployer.deployed();
      BundleSelection selection =
          new BundleSelection(deployed.keySet(), from.node().roles(), new HashSet<>(present));
      List<BundleOffer> offers = new ArrayList<>();
      for (Bundle bundle : selection.of(context.getBundles())) {
        Path jar = BundleJars.of(bundle, deployed);
        if (jar != null) {
          offers.add(offer(bundle, jar, deployed.containsKey(bundle.getBundleId())));
        }
      }
      return CompletableFuture.completedFuture(offers);
    }

    /** Only of what was offered. */
    @Override
    public CompletableFuture<byte[]> read(String digest, long first) {
      Path jar = offered.get(digest);
      if (jar == null) {
        throw new IllegalStateException("no bundle with the digest " + digest + " is offered");
      }
      try (FileChannel channel = FileChannel.open(jar)) {
        long size = Math.clamp(channel.size() - first, 0, PART);
        ByteBuffer bytes = ByteBuffer.allocate((int) size);
        while (bytes.hasRemaining() && channel.read(bytes, first + bytes.position()) >= 0) {}
        return CompletableFuture.completedFuture(bytes.array());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private BundleOffer offer(Bundle bundle, Path jar, boolean deployed) {
    try {
      String digest = digests.of(jar);
      offered.put(digest, jar);
      return new BundleOffer(
          bundle.getSymbolicName(),
          bundle.getVersion().toString(),
          Files.size(jar),
          digest,
          deployed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void changed(BundleEvent event) {
    switch (event.getType()) {
      case BundleEvent.STARTED,
          BundleEvent.LAZY_ACTIVATION,
          BundleEvent.STOPPED,
          BundleEvent.UPDATED,
          BundleEvent.UNINSTALLED ->
          tell();
      default -> {}
    }
  }

  private void tell() {
    List<Member> members = membership.members();
    boolean first = !members.isEmpty() && members.getFirst().uid() == membership.self().uid();
    if (first && !membership.ended().isDone()) {
      for (Member member : members.subList(1, members.size())) {
        BundleSource.Follower.CONTRACT.of(membership, member, RemoteCalls.SHORT).changed();
      }
    }
  }

  /** Offers nothing any more. */
  @Deactivate
  public void deactivate() {
    context.removeBundleListener(listener);
    calls.close();
  }
}
