package roll.cluster;

import org.osgi.annotation.versioning.ProviderType;

/** What happened to a member, as this node sees it. */
@ProviderType
public sealed interface MemberEvent {
  /** Whom it happened to. */
  Member member();

  /** It was taken in. */
  record Joined(Member member) implements MemberEvent {}

  /** It does not answer. It should get no new work; calls to it stay open. */
  record Unreachable(Member member) implements MemberEvent {}

  /** It answers again, and never stopped being a member. */
  record Reachable(Member member) implements MemberEvent {}

  /**
   * It is no member any more, and its open calls have failed. It does not come back as this member.
   *
   * @param lost whether it was given up; false if it left in order
   */
  record Removed(Member member, boolean lost) implements MemberEvent {}
}
