package roll.cluster.pekko;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.ClusterEvent;
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
import roll.cluster.Member;
import roll.cluster.MemberEvent;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.MembershipEnd;
import roll.cluster.MessageHandler;
import roll.cluster.Registration;

/** Membership of one Pekko actor system, which is not used again after its end. */
final class PekkoMembership implements Membership {
  private static final Logger LOG = LoggerFactory.getLogger(PekkoMembership.class);
  private static final Duration QUERY_INTERVAL = Duration.ofSeconds(1);

  private final MembershipConfig config;
  private final ActorSystem system;
  private final FrameTransport transport;
  private final SystemShutdown shutdown;
  private final Cluster cluster;
  private final Member self;
  private final MemberTable members = new MemberTable();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("roll.cluster ", 0).factory());
  private final AtomicLong epoch;
  private final CallClient client;
  private final CallServer server;
  private final CountDownLatch up = new CountDownLatch(1);
  private final AtomicReference<@Nullable Member> first = new AtomicReference<>();
  private final CompletableFuture<MembershipEnd> ended = new CompletableFuture<>();
  private final AtomicBoolean closing = new AtomicBoolean();

  private PekkoMembership(ActorSystem system, MembershipConfig config) {
    this.config = config;
    this.system = system;
    this.transport = new FrameTransport(system);
    this.shutdown = new SystemShutdown(system);
    this.cluster = Cluster.get(system);
    this.self = member(cluster.selfMember());
    this.epoch = new AtomicLong(config.epoch());
    this.client = new CallClient(members, this::run, self.uid(), epoch, transport::send);
    this.server = new CallServer(members, self.uid(), epoch, transport::send);
  }

  /** Starts receiving messages of the cluster, without joining. */
  static PekkoMembership start(ActorSystem system, MembershipConfig config) {
    PekkoMembership membership = new PekkoMembership(system, config);
    membership.start();
    return membership;
  }

  private void start() {
    transport.receive(this::receive);
    ActorRef events = ForwardingActor.start(system, "events", this::changed);
    system.getEventStream().subscribe(events, ThisActorSystemQuarantinedEvent.class);
    cluster.subscribe(
        events,
        ClusterEvent.initialStateAsEvents(),
        MemberUp.class,
        MemberDowned.class,
        MemberRemoved.class,
        UnreachableMember.class,
        ReachableMember.class);
    new StarDowning(cluster, members, first::get, this::run, this::cutOff).start(system);
    var unusedEnd = system.getWhenTerminated().thenRun(() -> cutOff("has lost its actor system"));
    var unusedTask =
        system
            .scheduler()
            .scheduleWithFixedDelay(
                QUERY_INTERVAL, QUERY_INTERVAL, client::query, system.dispatcher());
  }

  /** Returns when this node is a member. */
  void join() throws IOException, InterruptedException {
    if (config.seeds().isEmpty()) {
      cluster.join(cluster.selfAddress());
    } else {
      cluster.joinSeedNodes(config.seeds().stream().map(this::address).toList());
    }
    if (!up.await(config.joinTimeout().toMillis(), TimeUnit.MILLISECONDS) || ended.isDone()) {
      throw new IOException(
          "no node of run %s at %s accepted this node within %d s"
              .formatted(config.run(), config.seeds(), config.joinTimeout().toSeconds()));
    }
  }

  private Address address(InetSocketAddress seed) {
    Address own = cluster.selfAddress();
    return new Address(
        own.protocol(), own.system(), seed.getAddress().getHostAddress(), seed.getPort());
  }

  /** Processes a frame of another member, or this one, without blocking. */
  private void receive(Object message) {
    Frame frame;
    try {
      frame = Frame.decode((byte[]) message);
    } catch (RuntimeException e) {
      LOG.warn("received a malformed message", e);
      return;
    }
    switch (frame.kind()) {
      case CALL, QUERY -> run(() -> server.receive(frame));
      case RELEASE -> server.release(frame);
      default -> client.receive(frame);
    }
  }

  private void changed(Object event) {
    switch (event) {
      case MemberUp joined -> joined(joined.member());
      case UnreachableMember lost -> members.unreachable(uid(lost.member()));
      case ReachableMember back -> members.reachable(uid(back.member()));
      case MemberDowned downed when uid(downed.member()) == self.uid() ->
          cutOff("was cut off from the first node");
      case MemberRemoved removed -> removed(removed);
      case ThisActorSystemQuarantinedEvent _ when !config.seeds().isEmpty() ->
          cutOff("was removed by the other nodes");
      default -> {}
    }
  }

  private void joined(org.apache.pekko.cluster.Member joined) {
    Member member = member(joined);
    members.joined(member, joined.upNumber());
    first.compareAndSet(null, members.members().getFirst());
    if (member.uid() == self.uid()) {
      first.set(members.members().getFirst());
      up.countDown();
    }
  }

  private void removed(MemberRemoved event) {
    boolean lost = event.previousStatus() == MemberStatus.down();
    Member member = members.removed(uid(event.member()), lost);
    if (uid(event.member()) == self.uid()) {
      cutOff("was cut off from the first node");
    } else if (member != null) {
      client.lost(member, lost ? "was lost" : "has left");
      server.forget(member);
      if (member.equals(first.get()) && lost) {
        cutOff("lost the first node, " + member);
      } else if (member.equals(first.get())) {
        end(
            MembershipEnd.Kind.FIRST_LEFT,
            "ends, because the first node, " + member + ", has left");
      }
    }
  }

  private void cutOff(String why) {
    end(MembershipEnd.Kind.CUT_OFF, why);
  }

  /** Ends this membership for another reason than {@link #close}. */
  private void end(MembershipEnd.Kind kind, String why) {
    if (!closing.get() && ended.complete(new MembershipEnd(kind, "node " + self + " " + why))) {
      LOG.info("node {} {}", self, why);
      up.countDown();
      client.end("cannot be called by this node, which " + why);
      var unused = shutdown.terminate();
    }
  }

  private void run(Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      task.run(); // closed: remaining tasks only complete futures
    }
  }

  static long uid(org.apache.pekko.cluster.Member member) {
    return member.uniqueAddress().longUid();
  }

  static Member member(org.apache.pekko.cluster.Member member) {
    return new Member(
        NodeAttributes.decode(member.getRoles()),
        member.address().getHost().orElseThrow(),
        member.address().getPort().orElseThrow(),
        uid(member));
  }

  @Override
  public MembershipConfig config() {
    return config;
  }

  @Override
  public Member self() {
    return self;
  }

  @Override
  public List<Member> members() {
    return members.members();
  }

  @Override
  public boolean reachable(Member member) {
    return members.isReachable(member);
  }

  @Override
  public long epoch() {
    return epoch.get();
  }

  @Override
  public void advance(long next) {
    epoch.accumulateAndGet(next, Math::max);
  }

  @Override
  public Registration listen(Consumer<MemberEvent> listener) {
    return members.listen(listener);
  }

  @Override
  public Registration handle(String topic, MessageHandler handler) {
    return server.handle(topic, handler);
  }

  @Override
  public void send(Member to, String topic, byte[] message) {
    client.send(to, topic, message);
  }

  @Override
  public CompletableFuture<byte[]> call(Member to, String topic, byte[] message, Duration timeout) {
    return client.call(to, topic, message, timeout);
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
    client.end("was called by a node that is leaving");
    try {
      shutdown.await(member);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("node {} did not leave in order", self, e);
    } finally {
      var unused = shutdown.terminate();
      ended.complete(new MembershipEnd(MembershipEnd.Kind.CLOSED, "node " + self + " has left"));
      members.close();
      threads.shutdownNow();
    }
  }
}
