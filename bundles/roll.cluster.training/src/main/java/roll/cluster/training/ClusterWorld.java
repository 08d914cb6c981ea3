package roll.cluster.training;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankFailure;
import roll.parallel.collective.RankGroup;
import roll.parallel.world.RankProcess;
import roll.parallel.world.RankWorld;
import roll.parallel.world.ShardedModelSpec;

/** Ranks of one model on several nodes, as the first node sees them. */
final class ClusterWorld implements RankWorld {
  private final Membership membership;
  private final RankKey key;
  private final RankGroup group;
  private final ShardedModelSpec here;
  private final Map<Integer, ShardedModelSpec> there;
  private final List<Member> members;
  private final LongFunction<AtomicLong> orders;
  private final Runnable closed;
  private final MeetingPoint meeting;
  private final Map<Long, RemoteRanks> remote = new ConcurrentHashMap<>();

  /**
   * Nothing is opened yet.
   *
   * @param members by the number of the node
   * @param orders the numbers of the last commands, by the uid of a member
   * @param closed called when nothing is open any more
   */
  ClusterWorld(
      Membership membership,
      RankKey key,
      RankGroup group,
      ShardedModelSpec order,
      NodePlaces places,
      List<Member> members,
      LongFunction<AtomicLong> orders,
      Runnable closed) {
    this.membership = membership;
    this.key = key;
    this.group = group;
    this.meeting = new MeetingPoint(group.size());
    this.here = places.at(order, 0);
    this.there = new TreeMap<>();
    this.members = members;
    this.orders = orders;
    this.closed = closed;
    places.nodes().stream()
        .filter(node -> node > 0)
        .forEach(node -> there.computeIfAbsent(node, n -> places.at(order, n)));
  }

  @Override
  public RankGroup group() {
    return group;
  }

  @Override
  public LocalProcess site() {
    return new LocalProcess(membership.self().name(), meeting);
  }

  @Override
  public ShardedModelSpec here() {
    return here;
  }

  @Override
  public CompletableFuture<List<RankProcess>> open() {
    List<CompletableFuture<RankProcess>> opening = new ArrayList<>();
    there.forEach((node, order) -> opening.add(open(members.get(node), order)));
    for (CompletableFuture<RankProcess> one : opening) {
      var unused =
          one.whenComplete(
              (_, failure) -> {
                if (failure != null) {
                  meeting.fail(failure instanceof CompletionException e ? cause(e) : failure);
                }
              });
    }
    return CompletableFuture.allOf(opening.toArray(CompletableFuture[]::new))
        .handle(
            (_, failure) -> {
              if (failure != null) {
                opening.stream()
                    .filter(one -> !one.isCompletedExceptionally())
                    .forEach(one -> one.join().close());
                closed.run();
                throw new CompletionException(first(opening));
              }
              return opening.stream().map(CompletableFuture::join).toList();
            });
  }

  private static Throwable cause(CompletionException failure) {
    return failure.getCause() == null ? failure : failure.getCause();
  }

  /** What one of them failed of by itself, rather than by another's failure. */
  private static Throwable first(List<CompletableFuture<RankProcess>> opening) {
    List<Throwable> failures =
        opening.stream()
            .filter(CompletableFuture::isCompletedExceptionally)
            .map(CompletableFuture::exceptionNow)
            .map(failure -> failure instanceof CompletionException e ? cause(e) : failure)
            .toList();
    return failures.stream()
        .filter(failure -> !(failure instanceof RankFailure && failure.getCause() != null))
        .findFirst()
        .orElse(failures.getFirst());
  }

  private CompletableFuture<RankProcess> open(Member member, ShardedModelSpec order) {
    RankCalls calls = new RankCalls(membership, member);
    RemoteRanks ranks = new RemoteRanks(calls, key, orders.apply(member.uid()), closed);
    remote.put(member.uid(), ranks);
    return CompletableFuture.supplyAsync(
        () -> {
          var unused = calls.first(host -> host.open(key, member.name(), order, group));
          return ranks;
        },
        Thread::startVirtualThread);
  }

  /** Where the ranks meet. */
  MeetingPoint meeting() {
    return meeting;
  }

  /** The ranks of {@code member}, or null if it has none. */
  @Nullable RemoteRanks ranks(Member member) {
    return remote.get(member.uid());
  }

  @Override
  public void fail(Throwable cause) {
    meeting.fail(cause);
  }
}
