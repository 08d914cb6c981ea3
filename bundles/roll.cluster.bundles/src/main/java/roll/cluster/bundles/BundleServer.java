package roll.cluster.bundles;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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
import roll.cluster.services.FileTransfer;
import roll.cluster.services.RemoteCalls;
import roll.runtime.deploy.Deployer;

/** Offers the bundles of the first node to other nodes, and tells them about changes. */
@Component(
    name = "roll.cluster.bundles.server",
    immediate = true,
    service = {})
public final class BundleServer {
  private final BundleContext context;
  private final Membership membership;
  private final Deployer deployer;
  private final FileTransfer files;
  private final Registration calls;
  private final BundleListener listener = this::changed;

  /** Answers calls from now on. */
  @Activate
  public BundleServer(
      BundleContext context, @Reference Membership membership, @Reference Deployer deployer) {
    this.context = context;
    this.membership = membership;
    this.deployer = deployer;
    this.files = new FileTransfer(membership, BundleSource.TOPICS).open();
    this.calls = BundleSource.CONTRACT.serve(membership, Caller::new);
    context.addBundleListener(listener);
  }

  /** The bundle server as the node {@code from} calls it. */
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
  }

  private BundleOffer offer(Bundle bundle, Path jar, boolean deployed) {
    return new BundleOffer(
        bundle.getSymbolicName(), bundle.getVersion().toString(), files.offer(jar), deployed);
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

  /** Ends all offers of the bundle server. */
  @Deactivate
  public void deactivate() {
    context.removeBundleListener(listener);
    calls.close();
    files.close();
  }
}
