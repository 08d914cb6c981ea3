package roll.cluster.pekko;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.ClusterEvent.MemberDowned;
import org.apache.pekko.cluster.ClusterEvent.MemberRemoved;
import org.apache.pekko.cluster.ClusterEvent.MemberUp;
import org.apache.pekko.cluster.ClusterEvent.ReachableMember;
import org.apache.pekko.cluster.ClusterEvent.UnreachableMember;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.remote.artery.ThisActorSystemQuarantinedEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.cluster.ClusterPlace;
import roll.cluster.Member;
import roll.cluster.MemberEvent;
import roll.cluster.Membership;
import roll.cluster.MembershipEnd;
import roll.cluster.MessageHandler;
import roll.cluster.Registration;

/** One actor system that is a member of a cluster, until it ends. It is never used again. */
final class PekkoMembership implements Membership {
  private static final Logger LOG = LoggerFactory.getLogger(PekkoMembership.class);
  private static final long LEAVE_SECONDS = 6;
  private static final long STOP_SECONDS = 4;
  private static final Duration REMIND = Duration.ofSeconds(1);

  private final ClusterPlace place;
  private final ActorSystem system;
  private final Cluster cluster;
  private final Member self;
  private final Roster roster = new Roster();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("roll.cluster ", 0).factory());
  private final OpenCalls calls = new OpenCalls(this::run);
  private final Post post;
  private final CountDownLatch up = new CountDownLatch(1);
  private final AtomicReference<@Nullable Member> first = new AtomicReference<>();
  private final StarDowning downing;
  private final CompletableFuture<MembershipEnd> ended = new CompletableFuture<>();
  private final AtomicBoolean closing = new AtomicBoolean();

  private PekkoMembership(ActorSystem system, ClusterPlace place) {
    this.place = place;
    this.system = system;
    this.cluster = Cluster.get(system);
    this.self = member(cluster.selfMember());
    this.post =
        new Post(roster, calls, this::run, self.uid(), place.epoch(), new Wire(system)::send);
    this.downing = new StarDowning(cluster, roster, first::get, this::run, this::cutOff);
  }

  /** Listens, and is no member yet. */
  static PekkoMembership start(ClusterPlace place, PekkoEngine.Wiring wiring) throws IOException {
    PekkoMembership membership = new PekkoMembership(Systems.create(place, wiring), place);
    membership.system.actorOf(Mailbox.of(membership.post::take), Wire.POST);
    membership.system.actorOf(Mailbox.of(membership.post::take), Wire.PARCELS);
    membership.system.actorOf(Watcher.of(membership::happened), "watcher");
    membership.downing.start(membership.system);
    var unusedToo =
        membership
            .system
            .getWhenTerminated()
            .thenRun(() -> membership.cutOff("has lost its actor system"));
    var unused =
        membership
            .system
            .scheduler()
            .scheduleWithFixedDelay(
                REMIND, REMIND, membership.post::remind, membership.system.dispatcher());
    return membership;
  }

  /** Returns when this node is a member. */
  void join(ClusterPlace place) throws IOException, InterruptedException {
    if (place.seeds().isEmpty()) {
      cluster.join(cluster.selfAddress());
    } else {
      List<Address> seeds = new ArrayList<>();
      for (InetSocketAddress seed : place.seeds()) {
        seeds.add(Systems.address(cluster, seed));
      }
      cluster.joinSeedNodes(seeds);
    }
    if (!up.await(place.limit().toMillis(), TimeUnit.MILLISECONDS) || ended.isDone()) {
      throw new IOException(
          "no node of run %s at %s took this node in within %d s"
              .formatted(place.run(), place.seeds(), place.limit().toSeconds()));
    }
  }

  private void happened(Object event) {
    switch (event) {
      case MemberUp up -> joined(up.member());
      case UnreachableMember lost -> roster.unreachable(uid(lost.member()));
      case ReachableMember back -> roster.reachable(uid(back.member()));
      case MemberDowned downed when uid(downed.member()) == self.uid() ->
          cutOff("was cut off from the first node");
      case MemberRemoved removed -> removed(removed);
      case ThisActorSystemQuarantinedEvent _ when !place.seeds().isEmpty() ->
          cutOff("was given up by the other nodes");
      default -> {}
    }
  }

  private void joined(org.apache.pekko.cluster.Member joined) {
    Member member = member(joined);
    roster.joined(member, joined.upNumber());
    first.compareAndSet(null, roster.members().getFirst());
    if (member.uid() == self.uid()) {
      first.set(roster.members().getFirst());
      up.countDown();
    }
  }

  private void removed(MemberRemoved event) {
    boolean lost = event.previousStatus() == MemberStatus.down();
    Member member = roster.removed(uid(event.member()), lost);
    if (uid(event.member()) == self.uid()) {
      cutOff("was cut off from the first node");
    } else if (member != null) {
      calls.lost(member, lost ? "was lost" : "has left");
      post.forget(member);
      if (member.equals(first.get()) && lost) {
        cutOff("lost the first node, " + member);
      } else if (member.equals(first.get())) {
        end(
            MembershipEnd.Kind.FIRST_LEFT,
            "has nothing to do: the first node, " + member + ", has left");
      }
    }
  }

  private void cutOff(String why) {
    end(MembershipEnd.Kind.CUT_OFF, why);
  }

  /** This membership is over, and not because it was closed. */
  private void end(MembershipEnd.Kind kind, String why) {
    if (!closing.get() && ended.complete(new MembershipEnd(kind, "node " + self + " " + why))) {
      LOG.info("node {} {}", self, why);
      up.countDown();
      calls.end("does not hear this node, which " + why);
      var unused = Systems.terminate(system);
    }
  }

  private void run(Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      task.run(); // what is left when it is closed only completes futures
    }
  }

  private static long uid(org.apache.pekko.cluster.Member member) {
    return member.uniqueAddress().longUid();
  }

  static Member member(org.apache.pekko.cluster.Member member) {
    return new Member(
        NodeWords.read(member.getRoles()),
        member.address().getHost().orElseThrow(),
        member.address().getPort().orElseThrow(),
        uid(member));
  }

  @Override
  public ClusterPlace place() {
    return place;
  }

  @Override
  public Member self() {
    return self;
  }

  @Override
  public List<Member> members() {
    return roster.members();
  }

  @Override
  public boolean reachable(Member member) {
    return roster.isReachable(member);
  }

  @Override
  public long epoch() {
    return post.epoch();
  }

  @Override
  public void advance(long epoch) {
    post.advance(epoch);
  }

  @Override
  public Registration listen(Consumer<MemberEvent> listener) {
    return roster.listen(listener);
  }

  @Override
  public Registration handle(String topic, MessageHandler handler) {
    return post.handle(topic, handler);
  }

  @Override
  public void send(Member to, String topic, byte[] message) {
    post.send(to, topic, message);
  }

  @Override
  public CompletableFuture<byte[]> call(Member to, String topic, byte[] message, Duration limit) {
    return post.call(to, topic, message, limit);
  }

  @Override
  public CompletableFuture<MembershipEnd> ended() {
    return ended.copy();
  }

  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    boolean member = !ended.isDone();
    calls.end("was asked by a node that is leaving");
    try {
      if (member) {
        CoordinatedShutdown.get(system)
            .runAll(CoordinatedShutdown.clusterLeavingReason())
            .toCompletableFuture()
            .get(LEAVE_SECONDS, TimeUnit.SECONDS);
      }
      Systems.terminate(system).get(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.ExecutionException | TimeoutException e) {
      LOG.warn("node {} did not leave in order", self, e);
    } finally {
      var unused = Systems.terminate(system);
      ended.complete(new MembershipEnd(MembershipEnd.Kind.CLOSED, "node " + self + " has left"));
      roster.close();
      threads.shutdownNow();
    }
  }
}
