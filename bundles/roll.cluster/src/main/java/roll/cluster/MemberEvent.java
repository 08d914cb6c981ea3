package roll.cluster;

import org.osgi.annotation.versioning.ProviderType;

/** A change of a member, as this node sees it. */
@ProviderType
public sealed interface MemberEvent {
  /** The member that joined or left. */
  Member member();

  /** Event: the member joined. */
  record Joined(Member member) implements MemberEvent {}

  /** Event: the member does not answer. It should get no new work; calls to it stay open. */
  record Unreachable(Member member) implements MemberEvent {}

  /** The member answers again, without having lost its membership. */
  record Reachable(Member member) implements MemberEvent {}

  /**
   * The member was removed, and open calls to it have failed. It does not come back as this member.
   *
   * @param lost whether it failed; false if it left in order
   */
  record Removed(Member member, boolean lost) implements MemberEvent {}
}
